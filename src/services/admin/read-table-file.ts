import { isoDay } from '#domain/calendar-day.ts';
import { parseCsv, type CsvReading } from '#domain/csv.ts';
import { AdminError } from './admin-error.ts';
import { decodeText, otherKindOf } from './decode-text.ts';
import { isWorkbookTooLarge, workbookLimits } from './workbook-size.ts';

/** Media types and endings of the files that can be read, on phones and desktops. */
export const tableTypes =
  '.csv,.tsv,.txt,.xlsx,text/csv,text/comma-separated-values,text/tab-separated-values,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const unusable = (message: string): AdminError => new AdminError(message, 0, 'unusable');

const beginsWith = (bytes: Uint8Array, ...first: readonly number[]): boolean =>
  first.every((byte, at) => bytes[at] === byte);

function textOfCell(cell: unknown): string {
  // A day of a workbook has no time zone, and is read as UTC.
  if (cell instanceof Date) return isoDay(cell.getTime());
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean'
    ? String(cell)
    : '';
}

/** The first sheet of a workbook; a date is the day, as in 2026-11-28. */
async function readWorkbook(file: File, bytes: Uint8Array<ArrayBuffer>): Promise<CsvReading> {
  const unreadable = unusable(
    'This workbook cannot be read. Open it, and save it as “CSV UTF-8 (Comma delimited)”.',
  );
  const isTooLarge = await isWorkbookTooLarge(bytes).catch(() => {
    throw unreadable;
  });
  if (isTooLarge)
    throw unusable(
      `This workbook is too large to be read: it has cells beyond row ${workbookLimits.rows.toLocaleString('en-IN')} or far to the right, or very many. Delete empty rows and columns behind the list, or save the list as CSV.`,
    );
  // The variant without a worker, which the pages' content security policy refuses.
  const { readSheet } = await import('read-excel-file/universal');
  try {
    const rows: readonly (readonly unknown[])[] = await readSheet(file);
    return { ok: true, rows: rows.map((row) => row.map(textOfCell)) };
  } catch {
    throw unreadable;
  }
}

/** The rows of a CSV file, or of the first sheet of a workbook. Throws AdminError, which names how to save it. */
export async function readTableFile(file: File, maxBytes: number): Promise<CsvReading> {
  if (file.size > maxBytes)
    throw unusable(
      `This file is larger than ${String(maxBytes / 1024 / 1024)} MB. Please make several files of it, or look whether it is the right one.`,
    );
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (beginsWith(bytes, 0x50, 0x4b)) return readWorkbook(file, bytes);
  if (beginsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw unusable(
      'This is a workbook of the old kind (.xls). Open it, and save it as an Excel workbook (.xlsx) or as CSV.',
    );
  const text = textOf(bytes);
  const otherKind = otherKindOf(text);
  if (otherKind !== null) throw unusable(otherKind);
  return parseCsv(text);
}

function textOf(bytes: Uint8Array): string {
  try {
    return decodeText(bytes);
  } catch {
    throw unusable(
      beginsWith(bytes, 0x25, 0x50, 0x44, 0x46)
        ? 'This is a PDF. Ask for the list as an Excel workbook (.xlsx) or as CSV.'
        : 'This file is not saved as UTF-8: ₹ and letters of other scripts would be lost. In Excel save it as “CSV UTF-8 (Comma delimited)”.',
    );
  }
}
