import type { CsvReading } from '#domain/csv.ts';

/** A fault and its place. Row 1 is the header; null for the whole file or row. */
export interface TableFault {
  row: number | null;
  column: string | null;
  message: string;
  /** The cell's text, shortened; absent where there is no cell, or it is empty. */
  found?: string | undefined;
}

/** One row of a file. Headings are compared by their letters and digits: 'Unit Price' is 'unit_price'. */
export interface TableRow {
  /** The row as the spreadsheet counts it: the headings are row 1. */
  row: number;
  /** The text under the first of these headings that the file has, with the line ends of a form; '' without any. */
  cell: (...headings: readonly string[]) => string;
}

/** A file's table: its headings, and below them the rows with some text. */
export interface TableFile {
  headings: readonly string[];
  /** The row that names the columns, as the spreadsheet counts it: there may be a title above. */
  headingRow: number;
  /** Whether the file has one of these headings. */
  has: (...headings: readonly string[]) => boolean;
  rows: readonly TableRow[];
}
export type TableReading = { ok: true; table: TableFile } | { ok: false; fault: TableFault };

/** A heading without what people write in different ways. */
export const bareHeading = (heading: string): string =>
  heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a line above the headings is a comment, as in a catalogue of Meta's. A heading may be "#" too, the number of a row. */
const isComment = (
  [first = '', ...others]: readonly string[],
  next: readonly string[] = [],
): boolean =>
  first.startsWith('#') &&
  (others.length + 1 < next.length || others.every((cell) => /^\s*(?:#|$)/u.test(cell)));

const filled = (cells: readonly string[]): string[] => cells.filter((cell) => cell.trim() !== '');

/** Rows above the headings in which a spreadsheet may have a title, a day or a shop's name. */
const maxTitleRows = 10;

/** The place of the row that names the columns: a title above it fills at most half as many cells, and a row of data has numbers. */
function headingPlace(rows: readonly (readonly string[])[]): number {
  const below = rows.findIndex((cells, at) => !isComment(cells, rows[at + 1]));
  let place = rows.findIndex((cells, at) => at >= below && filled(cells).length > 0);
  for (let at = place + 1; at < Math.min(rows.length, below + maxTitleRows); at += 1) {
    const names = filled(rows[at] ?? []);
    const isHeading = names.length > 1 && names.every((name) => /\p{L}/u.test(name));
    if (isHeading && names.length >= 2 * filled(rows[place] ?? []).length) place = at;
  }
  return place;
}

/** 0 is 'A', as a spreadsheet names its columns. */
const columnLetters = (place: number): string =>
  (place < 26 ? '' : columnLetters(Math.floor(place / 26) - 1)) +
  String.fromCodePoint(65 + (place % 26));

/** The headings, with a name for each column that has texts and none of its own. */
function headingsOf(rows: readonly (readonly string[])[], start: number): string[] {
  const data = rows.slice(start + 1);
  const named = (rows[start] ?? []).map((heading) => heading.trim());
  const width = data.reduce((most, cells) => Math.max(most, cells.length), named.length);
  return Array.from({ length: width }, (_, place) => {
    const heading = named[place] ?? '';
    const isUsed =
      bareHeading(heading) === '' && data.some((cells) => (cells[place] ?? '').trim() !== '');
    return isUsed ? `${heading} Column ${columnLetters(place)}`.trim() : heading;
  });
}

/** Reads the table of a spreadsheet. */
export function readTable(reading: CsvReading, maxRows: number): TableReading {
  const failed = (
    message: string,
    row: number | null = null,
    column: string | null = null,
  ): TableReading => ({ ok: false, fault: { row, column, message } });
  if (!reading.ok)
    return failed('A quotation mark is opened here and never closed.', reading.openRow);
  const start = headingPlace(reading.rows);
  const headings = headingsOf(reading.rows, start);
  if (start === -1) return failed('This file is empty: its first row has to name the columns.');
  const places = new Map<string, number>();
  for (const [place, heading] of headings.entries()) {
    const bare = bareHeading(heading);
    if (bare !== '' && !places.has(bare)) places.set(bare, place);
  }
  const twice = headings.findIndex((heading, place) => {
    const first = places.get(bareHeading(heading)) ?? place;
    return (
      first < place && reading.rows.slice(start + 1).some((cells) => cells[place] !== cells[first])
    );
  });
  if (twice !== -1) return failed('This column appears twice.', start + 1, headings[twice]);
  const placesOf = (wanted: readonly string[]): number[] =>
    wanted.flatMap((heading) => places.get(bareHeading(heading)) ?? []);
  const rows = reading.rows.flatMap((cells, index): TableRow[] =>
    index <= start || cells.every((cell) => cell.trim() === '')
      ? []
      : [
          {
            row: index + 1,
            cell: (...wanted) => {
              const texts = placesOf(wanted).map((place) => cells[place] ?? '');
              const text = texts.find((one) => one.trim() !== '') ?? texts[0] ?? '';
              return text.replace(/\r\n?/gu, '\n');
            },
          },
        ],
  );
  if (rows.length === 0)
    return failed('This file has only its first row, the names of the columns.');
  if (rows.length > maxRows)
    return failed(
      `There are ${rows.length.toLocaleString('en-IN')} rows in this file, and at most ${maxRows.toLocaleString('en-IN')} can be imported at once. Please make several files of it.`,
    );
  const has = (...wanted: readonly string[]): boolean => placesOf(wanted).length > 0;
  return { ok: true, table: { headings, headingRow: start + 1, has, rows } };
}
