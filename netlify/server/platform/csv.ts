/*
 * A spreadsheet runs a cell that begins with one of these as a formula (OWASP, CSV injection). Numbers are written by
 * the shop and stay numbers; text is a shopper's, and gets an apostrophe before it.
 */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/u;

/** A number is an amount in paise and written in rupees; '-2' is a quantity taken back, and no formula. */
export type Cell = string | number | null;

/** One cell. Text that could be a formula is made harmless; quotes where they are needed. */
function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return (value / 100).toFixed(2);
  const text = formulaStart.test(value) && !/^-\d+$/u.test(value) ? `'${value}` : value;
  return /[",\r\n;']/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as RFC 4180 with a byte order mark, without which Excel reads UTF-8 as something else. */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return `\u{feff}${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/** A file to keep, named for the folder it lands in. */
export function csvAnswer(fileName: string, rows: Parameters<typeof csvText>[0]): Response {
  return new Response(csvText(rows), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
    },
  });
}
