import { categoryLabel } from '../catalogue/product.ts';
import { csvText, parseCsv } from '../csv.ts';
import { formOfProduct, productLabels, type ProductField, type ProductForm } from './product-form.ts';
import type { AdminProduct, ExpectedRevision } from './product-input.ts';

/*
 * The catalogue as a CSV file: one row a product, one column a field of its form, so that the form's own rules check it.
 * Beside them the product's id, empty for a new one, and the revision that the row was written from.
 */

/** A field of the form that one column fills; the three pictures and their descriptions have a column each. */
type TextField = Exclude<ProductField, 'hidden' | 'images' | 'imageAlts'>;
export interface CatalogueColumn {
  /** As the header says it. */
  label: string;
  field: ProductField | 'id' | 'revision';
  /** Which picture, from 0. */
  place: number;
}

const column = (field: CatalogueColumn['field'], label: string, place = 0): CatalogueColumn => ({ field, label, place });
const ofForm = (...fields: readonly TextField[]): CatalogueColumn[] => fields.map((field) => column(field, productLabels[field]));

export const catalogueColumns: readonly CatalogueColumn[] = [
  column('id', 'ID'),
  ...ofForm('name', 'category', 'price', 'offerPrice', 'stock'),
  column('hidden', productLabels.hidden),
  ...ofForm('description', 'metal', 'plating', 'stone', 'weight', 'size', 'care', 'origin', 'hsn'),
  ...[0, 1, 2].flatMap((place) => [
    column('images', `Picture ${String(place + 1)}`, place),
    column('imageAlts', `Picture ${String(place + 1)} description`, place),
  ]),
  column('revision', 'Revision'),
];

/** The most that one file may hold; an export of more comes in several files. */
export const catalogueFileLimits = { bytes: 2 * 1024 * 1024, rows: 2_000, exportedRows: 1_000 } as const;

/** What a column holds of a form. */
function cellOf(form: ProductForm, { field, place }: CatalogueColumn): string {
  if (field === 'hidden') return form.hidden ? 'no' : 'yes';
  if (field === 'images' || field === 'imageAlts') return form[field][place] ?? '';
  if (field === 'category') return categoryLabel(form.category);
  return field === 'id' || field === 'revision' ? '' : form[field];
}

const revisionText = ({ stock, updatedAt }: ExpectedRevision): string => `stock ${String(stock)} at ${updatedAt}`;

/** The revision of a row; null when it was not left as the export wrote it. */
export function revisionFromText(text: string): ExpectedRevision | null {
  const [, stock, updatedAt] = /^stock (\d{1,6}) at (\d{4}-\d\d-\d\dT\S+)$/u.exec(text.trim()) ?? [];
  return stock === undefined || updatedAt === undefined ? null : { stock: Number(stock), updatedAt };
}

const header = catalogueColumns.map(({ label }) => label);

/** Products as rows of a file, the header first. `readCatalogueFile` and `planImport` find no difference in them. */
export function catalogueRows(products: readonly AdminProduct[]): string[][] {
  return [header, ...products.map((product) => {
    const form = formOfProduct(product);
    const own = { id: product.id, revision: revisionText(product) };
    return catalogueColumns.map((col) => (col.field === 'id' || col.field === 'revision' ? own[col.field] : cellOf(form, col)));
  })];
}

/** An empty file to fill in: the header and one row that shows what is meant. */
export function catalogueTemplate(): string {
  const example: Partial<Record<string, string>> = {
    ...{ Name: 'Palakka ring', Category: 'Rings', Price: '₹1,499', 'Offer price': '1299', Stock: '5', 'In the shop': 'no' },
    ...{ Description: 'A ring with a green enamel leaf.', Metal: 'Brass', Plating: '22 carat gold', 'Weight in grams': '4.2', 'HSN code': '7117' },
    ...{ 'Picture 1': 'palakka-ring.jpg', 'Picture 1 description': 'The ring on a hand' },
  };
  return csvText([header, header.map((label) => example[label] ?? '')]);
}

/** What is wrong, and where: row 1 is the header; null when it is about the whole file or row. */
export interface CsvFault {
  row: number | null;
  column: string | null;
  message: string;
}

/** One row of a file with its cells by column. */
export interface FileRow {
  row: number;
  cells: ReadonlyMap<CatalogueColumn, string>;
}
export type CatalogueFile =
  | { ok: true; rows: FileRow[]; /** Headers that the shop does not know: their cells are not read. */ unknown: string[] }
  | { ok: false; fault: CsvFault };

const bare = (label: string): string => label.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Reads a file's text. Rows without any text are left out; cells have the line ends of a form. */
export function readCatalogueFile(text: string): CatalogueFile {
  const failed = (message: string, row: number | null = null, name: string | null = null): CatalogueFile => ({ ok: false, fault: { row, column: name, message } });
  const parsed = parseCsv(text);
  if (!parsed.ok) return failed('A quotation mark is opened here and never closed.', parsed.openRow);
  const [names = [], ...lines] = parsed.rows;
  if (!names.some((name) => name.trim() !== '')) return failed('This file is empty: its first row has to name the columns.');
  const columns = names.map((name) => catalogueColumns.find(({ label }) => bare(label) === bare(name)) ?? null);
  const twice = columns.find((col, index) => col !== null && columns.indexOf(col) < index);
  if (twice) return failed('This column is there twice.', 1, twice.label);
  if (!columns.some((col) => col?.field === 'id' || col?.field === 'name')) {
    return failed('There is neither a column “Name” nor a column “ID”. The first row has to name the columns, as in the template.', 1);
  }
  const rows = lines.flatMap((cells, index): FileRow[] =>
    cells.every((cell) => cell.trim() === '')
      ? []
      : [{ row: index + 2, cells: new Map(columns.flatMap((col, at) => (col ? [[col, (cells[at] ?? '').replace(/\r\n?/gu, '\n')] as const] : []))) }],
  );
  if (rows.length === 0) return failed('There is no piece in this file: only its first row, the names of the columns.');
  if (rows.length > catalogueFileLimits.rows) {
    return failed(`There are ${rows.length.toLocaleString('en-IN')} rows in this file, and 2,000 at most can be taken in at once. Please cut it in two.`);
  }
  const unknown = names.filter((name, index) => columns[index] === null && (name.trim() !== '' || lines.some((cells) => (cells[index] ?? '').trim() !== '')));
  return { ok: true, rows, unknown: unknown.map((name) => name.trim() || 'a column without a name') };
}
