/** Bytes in which one of two is nought, beyond this part of them: UTF-16 of mostly Latin letters, digits and line ends. */
const leastNoughts = 0.05;
const sampleBytes = 4_096;

/** The encoding of a text file: by its byte order mark, or UTF-16 by the bytes that are nought. No text in UTF-8 has such. */
function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, sampleBytes);
  const noughts = (parity: number): number =>
    sample.reduce((sum, byte, at) => sum + (byte === 0 && at % 2 === parity ? 1 : 0), 0);
  const [even, odd] = [noughts(0), noughts(1)];
  const isClear =
    Math.max(even, odd) * 2 > sample.length * leastNoughts &&
    Math.min(even, odd) * 10 < Math.max(even, odd);
  if (!isClear) return 'utf-8';
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** The text of a file in UTF-8 or UTF-16. Throws TypeError for another encoding. */
export const decodeText = (bytes: Uint8Array): string =>
  new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);

/** What a file is that is no table, with what to do; null for what may be one. */
export function otherKindOf(text: string): string | null {
  const start = text.slice(0, 1_000).trimStart();
  if (start.startsWith('%PDF-'))
    return 'This is a PDF. Ask for the list as an Excel workbook (.xlsx) or as CSV.';
  if (/^<(?:!doctype html|html|table|meta|style)\b/iu.test(start))
    return 'This is a web page, though its name may say something else. Open it in Excel, and save it as an Excel workbook (.xlsx) or as CSV.';
  if (/^<(?:\?xml|rss|feed|[a-z][\w:-]*[\s>])/iu.test(start))
    return 'This is an XML file, such as a feed for Google or Meta. Only tables can be read: where it was made, choose CSV or TSV, or export the products there.';
  if (/^[[{]\s*["{[]/u.test(start))
    return 'This is a JSON file. Only tables can be read: where it was made, choose CSV or an Excel workbook (.xlsx).';
  return null;
}
