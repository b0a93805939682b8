/*
 * A spreadsheet runs a cell that begins with one of these as a formula (OWASP, CSV injection). Numbers are written by
 * the shop and stay numbers; text may be a stranger's, and gets an apostrophe before it. Apostrophes that stood before
 * such a character already get one more, so that reading takes away what writing put there and nothing else.
 */
const formulaStart = /^'*[=+\-@\t\r\n＝＋－＠]/u;
const guardedStart = /^'+[=+\-@\t\r\n＝＋－＠]/u;

/** A number is an amount in paise and written in rupees; '-2' is a quantity taken back, and no formula. */
export type Cell = string | number | null;

/** One cell. Text that could be a formula is made harmless; quotes where they are needed. */
function cellText(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return (value / 100).toFixed(2);
  const text = formulaStart.test(value) && !/^-\d+$/u.test(value) ? `'${value}` : value;
  return /[",\r\n\t;|']/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as RFC 4180 with a byte order mark, without which Excel reads UTF-8 as something else. */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return `\u{feff}${rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`;
}

/** Rows of cells, the first being row 1 of the spreadsheet; or the row in which a quotation mark is never closed. */
export type CsvReading = { ok: true; rows: string[][] } | { ok: false; openRow: number };

/** Lines that are looked through for a separator: a title above the headings has none. */
const maxTitleLines = 10;

/** The separator of the cells: the one that stands most often in the first row below comments that has any, outside of quotes. */
function separatorOf(text: string): string {
  const lines = text
    .replace(/^(?:#[^\r\n]*(?:\r\n|\r|\n))+/u, '')
    .replace(/"(?:[^"]|"")*"/gu, '')
    .split(/\r\n|[\r\n]/u, maxTitleLines);
  const first = lines.find((line) => /[,;\t|]/u.test(line)) ?? '';
  const count = (separator: string) => first.split(separator).length;
  return [',', ';', '\t', '|'].reduce((best, separator) =>
    count(separator) > count(best) ? separator : best,
  );
}

const quotedCell = /"([^"]*(?:""[^"]*)*)"(?!")/uy;
const plainPart = /\r\n|[\r\n,;\t|]|[^,;\t|\r\n]+/uy;
const unguarded = (text: string): string => (guardedStart.test(text) ? text.slice(1) : text);

/**
 * Reads what a spreadsheet saved as CSV, with or without a byte order mark: commas, semicolons, tabs or bars, any line ends,
 * line breaks inside of quotes. The inverse of `csvText` for texts. An empty line is a row with one empty cell.
 */
export function parseCsv(given: string): CsvReading {
  const named = /^\u{feff}?sep=([,;\t|])(?:\r\n|\r|\n)/u.exec(given);
  const text = given.slice(named?.[0].length ?? 0).replace(/^\u{feff}/u, '');
  const separator = named?.[1] ?? separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell: string | null = null;
  let at = 0;
  const next = (token: RegExp): RegExpExecArray | null => {
    token.lastIndex = at;
    const found = token.exec(text);
    if (found) at = token.lastIndex;
    return found;
  };
  const endCell = () => {
    row.push(unguarded(cell ?? ''));
    cell = null;
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  while (at < text.length) {
    // A quotation mark opens a cell only at its beginning; 5" elsewhere is an inch.
    if (cell === null && text[at] === '"') {
      const quoted = next(quotedCell)?.[1];
      if (quoted === undefined) return { ok: false, openRow: rows.length + 1 };
      cell = quoted.replaceAll('""', '"');
      continue;
    }
    const part = next(plainPart)?.[0] ?? '';
    if (part === separator) {
      endCell();
      // The last separator is followed by a cell, though it may be empty.
      if (at === text.length) endRow();
    } else if (part === '\r\n' || part === '\r' || part === '\n') endRow();
    else cell = `${cell ?? ''}${part}`;
  }
  if (cell !== null || row.length > 0) endRow();
  return { ok: true, rows };
}
