import * as v from '../validate.ts';

/** A column whose values repeat: each of them once, and a character for each product that names its value. */
export interface Packed<T> {
  values: T[];
  codes: string;
}

// From the first character that JSON leaves as it is, the backslash apart, and around the halves of pairs.
const [firstCode, firstHalf, halves] = [35, 0xd800, 0x800];
const codeOf = (index: number): string =>
  String.fromCodePoint(
    index + firstCode < firstHalf ? index + firstCode : index + firstCode + halves,
  );

function indexOf(code: string): number {
  const point = code.codePointAt(0) ?? firstCode;
  return point < firstHalf ? point - firstCode : point - firstCode - halves;
}

/** Packs `rows`; values that `keyOf` calls the same are one. The most frequent ones get the shortest codes. */
export function pack<T>(
  rows: readonly T[],
  keyOf: (value: T) => string = String,
): { values: T[]; codeFor: (value: T) => string } {
  const counts = new Map<string, { value: T; count: number }>();
  for (const value of rows) {
    const key = keyOf(value);
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { value, count: 1 });
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b.count - a.count);
  const codes = new Map(sorted.map(([key], index) => [key, codeOf(index)]));
  return {
    values: sorted.map(([, { value }]) => value),
    codeFor: (value) => codes.get(keyOf(value)) ?? '',
  };
}

/** A column of values, one for each product. */
export function packColumn<T>(rows: readonly T[], keyOf?: (value: T) => string): Packed<T> {
  const { values, codeFor } = pack(rows, keyOf);
  return { values, codes: rows.map(codeFor).join('') };
}

/** The values of some codes. Throws ValidationError when one names none. */
export function unpack<T>({ values, codes }: Packed<T>): T[] {
  return Array.from(codes, (code) => {
    const value = values[indexOf(code)];
    if (value === undefined) throw new v.ValidationError('A code without a value');
    return value;
  });
}

/** Validates a column whose values `value` validates. */
export const packed = <T>(value: v.Validator<T>): v.Validator<Packed<T>> =>
  v.object({ values: v.array(value), codes: v.string });
