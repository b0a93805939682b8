import { categories } from '#domain/catalogue/category.ts';
import { csvText, parseCsv } from '#domain/csv.ts';
import { readTable } from '#domain/admin/table-file.ts';
import { toFileRows } from '#features/csv-file/domain/file-rows.ts';
import { planImport, type ImportPlan } from '#features/csv-file/domain/import-plan.ts';
import {
  firstMapping,
  nothingChosen,
  productsOf,
  sourceOf,
  unknownCategories,
  unreadColumns,
  type Choices,
} from '#features/csv-file/domain/read-products.ts';

/** Answers that leave nothing open but the categories, currencies and the place of images. */
export const answered: Choices = {
  ...nothingChosen,
  uncountedUnits: '0',
  sizes: new Map(categories.map((category) => [category, 'Adjustable'])),
};

export type Row = Readonly<Record<string, string>>;

/** A file with the headings of its rows. */
export function fileOf(rows: readonly Row[]): string {
  const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return csvText([headings, ...rows.map((row) => headings.map((name) => row[name] ?? ''))]);
}

/** What the import of a file of products does to an empty catalogue; a product's id is its key. */
export function readFile(
  text: string,
  { isSplit = false, ...choices }: Partial<Choices> & { isSplit?: boolean } = {},
  now?: Date,
) {
  const file = readTable(parseCsv(text), 5_000);
  if (!file.ok) throw new Error(file.fault.message);
  const reading = { mapping: firstMapping(file.table), isSplit };
  const products = productsOf(file.table, reading, now);
  const rows = toFileRows(products, { ...answered, ...choices });
  const plan: ImportPlan = planImport(rows.rows, {
    stored: [],
    entryOf: (address) => address.replace(/^http:/u, 'https:'),
    newId: ({ key, row }) => key ?? `row ${String(row)}`,
  });
  return {
    ...rows,
    plan,
    products,
    mapping: reading.mapping,
    source: sourceOf(file.table),
    unknown: unknownCategories(products),
    unread: unreadColumns(file.table, reading),
  };
}
