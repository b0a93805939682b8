/**
 * The label of the button that opens the form.
 *
 * @param missing - The sizes that are sold out.
 * @param soldOut - Whether the whole product is.
 */
export function alertLabel(missing: readonly string[], soldOut: boolean): string {
  const [size, another] = soldOut ? [] : missing;
  if (size === undefined) return 'Tell me when it is back';
  return `${another === undefined ? `Size ${size}` : 'A size that is sold out'}: tell me when it is back`;
}
