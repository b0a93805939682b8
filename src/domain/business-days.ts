/** '5-7 business days' → [5, 7]; '2 business days' → [2, 2]; null without a number. */
export function businessDays(text: string): readonly [min: number, max: number] | null {
  const [min, max = min] = Array.from(text.matchAll(/\d+/gu), ([digits]) => Number(digits));
  return min === undefined || max === undefined || max < min ? null : [min, max];
}
