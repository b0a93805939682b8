import { parseCsv } from '../csv.ts';

/** A fault and its place. Row 1 is the header; null for the whole file or row. */
export interface CsvFault {
  row: number | null;
  column: string | null;
  message: string;
  /** The cell's text, shortened; absent where there is no cell, or it is empty. */
  found?: string | undefined;
}

/** One row of a file with its cells by column. */
export interface TableRow<Column> {
  row: number;
  cells: ReadonlyMap<Column, string>;
}
export type CsvTable<Column> =
  | {
      ok: true;
      rows: TableRow<Column>[];
      /** Headers that the shop does not know: their cells are not read. */ unknown: string[];
    }
  | { ok: false; fault: CsvFault };

/** The limits of one file. */
export const csvFileLimits = { bytes: 2 * 1024 * 1024, rows: 2_000 } as const;

const bare = (label: string): string => label.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Reads a file's text by the names of its columns, one of `needed` at least. Rows without any text are left out; cells have
 * the line ends of a form.
 */
export function readCsvTable<Column extends { label: string }>(
  text: string,
  known: readonly Column[],
  needed: readonly string[],
): CsvTable<Column> {
  const failed = (
    message: string,
    row: number | null = null,
    column: string | null = null,
  ): CsvTable<Column> => ({ ok: false, fault: { row, column, message } });
  const parsed = parseCsv(text);
  if (!parsed.ok)
    return failed('A quotation mark is opened here and never closed.', parsed.openRow);
  const [names = [], ...lines] = parsed.rows;
  if (!names.some((name) => name.trim() !== ''))
    return failed('This file is empty: its first row has to name the columns.');
  const columns = names.map(
    (name) => known.find(({ label }) => bare(label) === bare(name)) ?? null,
  );
  const twice = columns.find((column, index) => column !== null && columns.indexOf(column) < index);
  if (twice) return failed('This column appears twice.', 1, twice.label);
  if (!columns.some((column) => column && needed.includes(column.label))) {
    return failed(
      `There is no column ${needed.map((label) => `“${label}”`).join(' or ')}. The first row has to name the columns, as in the template.`,
      1,
    );
  }
  const rows = lines.flatMap((cells, index): TableRow<Column>[] =>
    cells.every((cell) => cell.trim() === '')
      ? []
      : [
          {
            row: index + 2,
            cells: new Map(
              columns.flatMap((column, at) =>
                column ? [[column, (cells[at] ?? '').replace(/\r\n?/gu, '\n')] as const] : [],
              ),
            ),
          },
        ],
  );
  if (rows.length === 0)
    return failed('This file has only its first row, the names of the columns.');
  if (rows.length > csvFileLimits.rows) {
    return failed(
      `There are ${rows.length.toLocaleString('en-IN')} rows in this file, and at most 2,000 can be imported at once. Please split it in two.`,
    );
  }
  const unknown = names.filter(
    (name, index) =>
      columns[index] === null &&
      (name.trim() !== '' || lines.some((cells) => (cells[index] ?? '').trim() !== '')),
  );
  return {
    ok: true,
    rows,
    unknown: unknown.map((name) => name.trim() || 'a column without a name'),
  };
}
