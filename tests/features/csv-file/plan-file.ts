import { parseCsv } from '#domain/csv.ts';
import { readTable } from '#domain/admin/table-file.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { planImport, type ImportPlan } from '#features/csv-file/domain/import-plan.ts';
import { toFileRows } from '#features/csv-file/domain/file-rows.ts';
import { firstMapping, productsOf } from '#features/csv-file/domain/read-products.ts';
import { adminProduct } from '#tests/unit/admin/admin-product.ts';
import { answered } from './read-file.ts';

/** The one product of the catalogue, unless a test gives others. */
export const ring = adminProduct({
  description: 'Green leaves,\nset in gold',
  price: 149_900,
  images: ['products/a.webp', 'https://pictures.example/b.jpg'],
  imageAlts: ['On a hand', ''],
});

/** The rows of a file. @throws the fault of a file that cannot be read. */
export const readText = (text: string) => {
  const file = readTable(parseCsv(text), 5_000);
  if (!file.ok) throw new Error(file.fault.message);
  return productsOf(file.table, { mapping: firstMapping(file.table), isSplit: false });
};
export const idOfRow = (row: number): string =>
  `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`;
export const newId = ({ row }: { row: number }): string => idOfRow(row);
/** The effect of a text on the catalogue; `a.jpg` is the one image file that was chosen. */
export const plan = (text: string, stored: readonly AdminProduct[] = [ring]): ImportPlan =>
  planImport(toFileRows(readText(text), answered).rows, {
    stored,
    newId,
    entryOf: (name) => {
      if (name.startsWith('https://')) return name;
      return /(?:^|\\)a\.jpg$/iu.test(name)
        ? 'products/uploaded.webp'
        : { fault: `There is no “${name}”` };
    },
  });
/** The faults of a file, each as 'row column: message'. */
export const faultsOf = (text: string, stored?: readonly AdminProduct[]): string[] =>
  plan(text, stored).faults.map(
    ({ row, column, message }) => `${String(row)} ${column ?? '-'}: ${message}`,
  );
