/** Sizes as one line of text: '12: 3; 14: 1', each with its stock in units. */
export const sizesText = (sizes: readonly { size: string; stock: number | string }[]): string =>
  sizes.map(({ size, stock }) => `${size.trim()}: ${String(stock)}`).join('; ');

/** Reads such a line, as the product form holds sizes; null when it is none. */
export function sizesFromText(text: string): { size: string; stock: string }[] | null {
  const parts = text
    .split(/[;\n]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const sizes = parts.map((part) => /^(.+):\s*(\d[\d,]*)$/su.exec(part));
  return sizes.includes(null)
    ? null
    : sizes.map((match) => ({ size: (match?.[1] ?? '').trim(), stock: match?.[2] ?? '' }));
}
