import { expect, test, vi } from 'vitest';
import { answered } from '#tests/features/csv-file/read-file.ts';
import { adminProduct } from '#tests/unit/admin/admin-product.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { readTable } from '#domain/admin/table-file.ts';
import { parseCsv } from '#domain/csv.ts';
import { compareFile, planOf } from './compared-file.ts';
import { toFileRows } from './domain/file-rows.ts';
import { firstMapping, productFileLimits } from './domain/read-products.ts';
import type { ImportImages } from './import-images.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));
const stored: AdminProduct[] = [];
vi.mock('./catalogue-file.ts', () => ({
  fetchCompared: ({ ids }: { ids: readonly string[] }) =>
    Promise.resolve(stored.filter(({ id }) => ids.includes(id))),
}));

const list = readTable(parseCsv('Product,Category,Price,Qty,Shelf\nChain,Necklaces,100,2,x\n'), 10);

/** Imports the list and returns how many products it added. */
async function importList(): Promise<number> {
  if (!list.ok) throw new Error(list.fault.message);
  const { table } = list;
  const file = {
    name: 'list.csv',
    table,
    mapping: firstMapping(table),
    isSplit: false,
    ids: new Map(),
  };
  const compared = await compareFile(file);
  const images: Pick<ImportImages, 'entryOf'> = { entryOf: (text) => text };
  const { rows } = toFileRows(compared.products, answered);
  const { added } = planOf(compared, rows, images as ImportImages);
  stored.push(...added.map(({ id, product }) => adminProduct({ id, name: product.name })));
  return added.length;
}

test('a file has at most as many products as one import takes, however many rows they are', async () => {
  const listOf = (handle: (at: number) => string) => {
    const rows = Array.from(
      { length: productFileLimits.products + 1 },
      (_, at) => `${handle(at)},A,10,1,${String(at)}`,
    );
    const reading = readTable(
      parseCsv(`Handle,Name,Price,Stock,Size\n${rows.join('\n')}`),
      productFileLimits.rows,
    );
    if (!reading.ok) throw new Error(reading.fault.message);
    const { table } = reading;
    return compareFile({
      name: 'l',
      table,
      mapping: firstMapping(table),
      isSplit: false,
      ids: new Map(),
    });
  };
  await expect(listOf(String)).rejects.toThrow(/^These are 5,001 products, and at most 5,000/u);
  expect((await listOf(() => 'one')).products).toHaveLength(1);
});

test('a file that is imported again adds nothing, and once what was deleted since', async () => {
  expect([await importList(), await importList()]).toEqual([1, 0]);
  for (let time = 0; time < 2; time += 1) {
    const last = stored.at(-1);
    if (last) last.deletedAt = '2026-11-28T00:00:00Z';
    expect([await importList(), await importList()]).toEqual([1, 0]);
  }
});
