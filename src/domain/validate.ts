/*
 * Readers of untrusted values for what browse pages carry: cart, session and product rows. Zod reads everything
 * else; in a browser it would weigh more than all of these pages' own code.
 */

/** Why a value could not be read: one issue, with the path of the field that is wrong. */
export class Unreadable extends Error {
  readonly issues: readonly { path: readonly (string | number)[]; message: string }[];

  constructor(message: string, path: readonly (string | number)[] = []) {
    super(path.length === 0 ? message : `${path.join('.')}: ${message}`);
    this.name = 'Unreadable';
    this.issues = [{ path, message }];
  }

  /** The same issue seen from one level further out. */
  under(key: string | number): Unreadable {
    const [issue] = this.issues;
    return new Unreadable(issue?.message ?? '', [key, ...(issue?.path ?? [])]);
  }
}

/** Gives the value in its type or throws Unreadable. */
export type Reader<T> = (value: unknown) => T;

function within<T>(key: string | number, reader: Reader<T>, value: unknown): T {
  try {
    return reader(value);
  } catch (error) {
    throw error instanceof Unreadable ? error.under(key) : error;
  }
}

export const readText: Reader<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new Unreadable('Not a text');
};

export const readName: Reader<string> = (value) => {
  const text = readText(value);
  if (text !== '') return text;
  throw new Unreadable('Empty');
};

export const readNumber: Reader<number> = (value) => {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Unreadable('Not a number');
};

/** 0, 1, 2, … */
export const readCount: Reader<number> = (value) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Unreadable('Not a count');
};

/** `fallback` for undefined, and for null. */
export function orElse<T, F>(reader: Reader<T>, fallback: F): Reader<T | F> {
  return (value) => (value === undefined || value === null ? fallback : reader(value));
}

export function readList<T>(reader: Reader<T>): Reader<T[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new Unreadable('Not a list');
    return value.map((entry, index) => within(index, reader, entry));
  };
}

/** The named fields of an object, others left out. Fields whose reader gives undefined are absent. */
export function readFields<R extends Readonly<Record<string, Reader<unknown>>>>(
  readers: R,
): Reader<{ [K in keyof R]: ReturnType<R[K]> }> {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Unreadable('Not an object');
    const given: Readonly<Record<string, unknown>> = { ...value };
    const entries = Object.entries(readers).flatMap(([key, reader]) => {
      const read = within(key, reader, given[key]);
      return read === undefined ? [] : [[key, read]];
    });
    return Object.fromEntries(entries) as { [K in keyof R]: ReturnType<R[K]> };
  };
}
