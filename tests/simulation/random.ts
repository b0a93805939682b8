/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  int: (below: number) => number;
  /** True in so many cases of a hundred. */
  percent: (chance: number) => boolean;
  /** One of the items; there must be one. */
  pick: <T>(items: readonly T[]) => T;
  uuid: () => string;
}

/** Mulberry32: 32 bits of state, enough for what is drawn in one history. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => int(16).toString(16)).join('');
  return {
    int,
    percent: (chance) => next() * 100 < chance,
    pick<T>(items: readonly T[]): T {
      const item = items[int(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}
