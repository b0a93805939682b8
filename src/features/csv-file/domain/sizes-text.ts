/** A size with its stock as typed, as the product form holds it. */
interface TypedSize {
  size: string;
  stock: string;
}

/**
 * Sizes as one line of text: '12: 3; 14: 1', each with its stock in units. A comma in the name of the only size is no separator:
 * '2,5: 3;'.
 */
export function sizesText(sizes: readonly { size: string; stock: number | string }[]): string {
  const text = sizes.map(({ size, stock }) => `${size.trim()}: ${String(stock)}`).join('; ');
  return sizes.length === 1 && text.includes(',') ? `${text};` : text;
}

/** Reads that line again, as the shop wrote it; null when it is none. */
export function sizesFromText(text: string): TypedSize[] | null {
  const parts = text.split(';').filter((part) => part.trim() !== '');
  const sizes = parts.map((part) => /^(?<size>.+):\s*(?<stock>\d+)\s*$/su.exec(part)?.groups);
  return sizes.includes(undefined)
    ? null
    : sizes.map((groups) => ({
        size: (groups?.['size'] ?? '').trim(),
        stock: groups?.['stock'] ?? '',
      }));
}

// The stock stands behind a colon, an equals sign, or a dash or an x between spaces: '12-3' may be a size. The last of several
// colons separates them: a size may be called 'EU: 52'.
const typedEntry =
  /^(?<size>.+(?=:)|.+?)\s*(?::|=|\s[-–—x×](?=\s))\s*(?<stock>\d{1,3}(?:,\d{2,3})*,\d{3}|\d+)\s*(?:pcs?|pieces?|nos?|units?)?\.?$/isu;

function readEntry(text: string): TypedSize | null {
  const { size = '', stock = '' } = typedEntry.exec(text.trim())?.groups ?? {};
  return size.trim() === '' ? null : { size: size.trim(), stock };
}

const readEntries = (parts: readonly string[]): TypedSize[] | null => {
  const entries = parts.filter((part) => part.trim() !== '').map(readEntry);
  return entries.includes(null) ? null : (entries as TypedSize[]);
};

/**
 * Reads sizes as people write them: '12: 3; 14: 1', a line each, '12:3, 14:1', '12 - 3 pcs'. Null when it is none, or when a comma
 * may be a separator or a part of a size's name. Behind a semicolon it is a part of the name: '2,5: 3;'.
 */
export function readTypedSizes(text: string): TypedSize[] | null {
  if (!/[;\n]/u.test(text.trim())) {
    const list = readEntries(text.split(','));
    const [one] = readEntries([text]) ?? [];
    return list ?? (one && !one.size.includes(',') ? [one] : null);
  }
  const parts = text.split(/[;\n]/u);
  const isTwofold = (part: string): boolean => (readEntries(part.split(',')) ?? []).length > 1;
  return parts.some(isTwofold) ? null : readEntries(parts);
}
