/** Every order of a list. */
export function permutations<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((item) =>
    permutations(list.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
