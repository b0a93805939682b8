/*
 * The size of a workbook before it is read: an .xlsx file is a ZIP archive of XML, and a file of one kilobyte can name a cell in the last of
 * a million rows, or unpack to gigabytes. The reader would fill the memory of the tab.
 */

/** What a workbook may be at most; a sheet of 20,000 rows with 40 columns unpacks to about 30 MB. */
export const workbookLimits = {
  bytes: 100 * 1024 * 1024,
  rows: 100_000,
  cells: 2_000_000,
} as const;

const signatures = { end: 0x06054b50, entry: 0x02014b50 } as const;
const endBytes = 22;
const maxCommentBytes = 65_535;

interface ZipEntry {
  name: string;
  /** 0: stored, 8: deflated. */
  method: number;
  packedBytes: number;
  /** Where its own header begins. */
  offset: number;
}

/** The entries of a ZIP archive's directory; none of a file that is no archive. */
function entriesOf(view: DataView): ZipEntry[] {
  const first = Math.max(0, view.byteLength - endBytes - maxCommentBytes);
  let end = view.byteLength - endBytes;
  while (end >= first && view.getUint32(end, true) !== signatures.end) end -= 1;
  if (end < first) return [];
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== signatures.entry) return [];
    const nameBytes = view.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(
        new Uint8Array(view.buffer, view.byteOffset + at + 46, nameBytes),
      ),
      method: view.getUint16(at + 10, true),
      packedBytes: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The column of a cell's reference from 1: 'AB12' is 28. */
const columnOf = (letters: string): number =>
  letters.split('').reduce((sum, letter) => sum * 26 + (letter.codePointAt(0) ?? 0) - 64, 0);

/** Reads an entry part by part. Returns how many bytes it unpacks to, at most `maxBytes` and one part more. */
async function unpack(
  bytes: Uint8Array<ArrayBuffer>,
  { method, packedBytes, offset }: ZipEntry,
  maxBytes: number,
  onPart: (part: Uint8Array) => void,
): Promise<number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const packed = new Blob([bytes.subarray(start, start + packedBytes)]).stream();
  const parts = method === 0 ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = parts.getReader();
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      break;
    }
    onPart(part.value);
  }
  return size;
}

/** Whether a workbook unpacks to more than the limits, or a sheet of it has cells beyond them. What a sheet says of itself is not believed. */
export async function isWorkbookTooLarge(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  let left: number = workbookLimits.bytes;
  for (const entry of entriesOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
    let [rows, columns] = [0, 0];
    let rest = '';
    const decoder = new TextDecoder();
    left -= await unpack(bytes, entry, left, (part) => {
      if (!/^xl\/worksheets\/[^/]+\.xml$/u.test(entry.name)) return;
      const text = rest + decoder.decode(part, { stream: true });
      for (const [, letters = '', row = '0'] of text.matchAll(/\br="([A-Z]{0,3})(\d{1,7})"/gu)) {
        rows = Math.max(rows, Number(row));
        columns = Math.max(columns, columnOf(letters));
      }
      // A reference may be cut in two.
      rest = text.slice(-16);
    });
    if (left < 0 || rows > workbookLimits.rows || rows * columns > workbookLimits.cells)
      return true;
  }
  return false;
}
