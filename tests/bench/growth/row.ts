/** A shop of each size: a year of a small one, and five years of a large one. */
export const shopSizes = {
  small: { products: 1_000, orders: 5_000 },
  large: { products: 10_000, orders: 50_000 },
} as const;
export type ShopSize = keyof typeof shopSizes;
export const inShops = '1,000 products and 5,000 orders → 10,000 and 50,000';

/** What one size of a row costs, in the row's unit, and the largest answer in bytes; 0 where nothing is answered. */
export interface Cost {
  cost: number;
  bytes: number;
}

export interface GrowthRow {
  name: string;
  /** How many times the work the larger size is, and both sizes in words. */
  times: number;
  sizes: string;
  unit: 'ms' | 's' | 'KB' | 'files';
  small: Cost;
  large: Cost;
}

/** Rows that share what they are measured on. `measure` is called only when there are any. */
export interface RowGroup {
  names: readonly string[];
  measure: () => Promise<GrowthRow[]>;
}

/** Runs until both so many and so long were measured, after as many that warm caches and code; one is enough of a long run. */
const [minRuns, maxRuns, minMs, longMs] = [3, 40, 500, 2_000];

/**
 * The mean processor time of several runs in ms, which other work on this machine changes least, and the bytes of the
 * largest answer.
 * @param spentMs the processor time that was spent so far
 */
export async function timeRuns(
  run: () => Promise<number>,
  spentMs: () => Promise<number>,
): Promise<Cost> {
  let bytes = 0;
  const half = async (): Promise<{ ms: number; runs: number }> => {
    const began = await spentMs();
    for (let runs = 1; ; runs += 1) {
      bytes = Math.max(bytes, await run());
      const ms = (await spentMs()) - began;
      if (ms > longMs || (ms > minMs && runs >= minRuns) || runs === maxRuns) return { ms, runs };
    }
  };
  const warm = await half();
  const { ms, runs } = warm.ms > longMs ? warm : await half();
  return { cost: ms / runs, bytes };
}
