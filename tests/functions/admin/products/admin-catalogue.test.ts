import { beforeEach, describe, expect, test } from 'vitest';
import { readCatalogueFile } from '../../../../src/domain/admin/products/catalogue-csv.ts';
import { idsAndNames, planImport } from '../../../../src/domain/admin/products/import-plan.ts';
import {
  adminProductsSchema,
  type AdminProduct,
  type ProductInput,
} from '../../../../src/domain/admin/products/product-input.ts';
import { eachRow } from '../../../each-row.ts';
import { logIn } from '../admin-client.ts';
import { input, openProductRequests } from './product-requests.ts';

const requests = await openProductRequests();
const { stack, stored, list } = requests;
const admin = await logIn(stack);
beforeEach(() => stack.sql('delete from public.products'));

const ask = (action: string, body: unknown = {}) =>
  admin.ask('POST', `/api/admin/catalogue/${action}`, body);
const seenOf = ({ updatedAt, stock }: AdminProduct) => ({ updatedAt, stock });
const added = (product: Partial<ProductInput> = {}) => ({
  id: crypto.randomUUID(),
  product: { ...input, ...product },
  seen: null,
});
const exported = async (part = ''): Promise<string> => {
  const answer = await admin.ask('GET', `/api/admin/catalogue/export${part}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="catalogue-\d{4}-\d\d-\d\d/u,
  );
  return answer.text;
};
/** The effect of the exported text on the catalogue, as the page requests and compares it. */
async function planOf(text: string) {
  const file = readCatalogueFile(text);
  if (!file.ok) throw new Error(file.fault.message);
  const newId = () => crypto.randomUUID();
  const compared = await ask('compare', idsAndNames(file.rows, newId));
  const products = adminProductsSchema.parse({ ...compared.json, total: 0 }).products;
  return planImport(file.rows, { stored: products, entryOf: () => null, newId });
}

describe('the exported catalogue', () => {
  test('is a file that imports again without a difference, deleted products left out', async () => {
    await stored({
      name: '=SUM(1)',
      description: 'Two\nlines, "quoted"; ’ and അ',
      offerPrice: 99_900,
    });
    await stored({ hidden: true, images: [], imageAlts: [], attributes: {} });
    const gone = await stored({ name: 'Gone' });
    await ask('delete', { ids: [gone.id] });
    const text = await exported();
    expect(text).not.toContain('Gone');
    expect(await planOf(text)).toEqual({ added: [], changed: [], same: 2, faults: [] });
  });

  test('comes in parts, and a part that cannot be is not found', async () => {
    await stored();
    expect((await exported('?part=2')).split('\r\n')).toHaveLength(2);
    expect((await admin.ask('GET', '/api/admin/catalogue/export?part=x')).status).toBe(404);
  });
});

test('hundreds of products are compared and saved at once', async () => {
  const rows = Array.from({ length: 400 }, (_, index) =>
    added({ name: `Product ${String(index)}`, description: 'A'.repeat(300) }),
  );
  expect(await ask('save', { rows })).toMatchObject({ status: 200, json: { saved: 400 } });
  const compared = await ask('compare', {
    ids: rows.map(({ id }) => id),
    names: rows.map(({ product }) => product.name),
  });
  expect(compared.json['products']).toHaveLength(400);
  expect((await list()).total).toBe(400);
  expect((await exported()).split('\r\n')).toHaveLength(402);
});

test('products are added and changed together, and a second press changes nothing', async () => {
  const ring = await stored({ name: 'Ring' });
  const rows = [
    added({ name: 'New' }),
    { id: ring.id, product: { ...input, name: 'Ring', hidden: true }, seen: seenOf(ring) },
  ];
  expect(await ask('save', { rows })).toMatchObject({ status: 200, json: { saved: 2 } });
  const { products } = await list('?sort=name');
  expect(products).toMatchObject([
    { name: 'New', hidden: false },
    { name: 'Ring', hidden: true },
  ]);
  expect(await ask('save', { rows: rows.slice(0, 1) })).toMatchObject({ status: 200 });
  expect((await list()).total).toBe(2);
});

test('one product that was changed or deleted in the meantime refuses all, by name', async () => {
  const [ring, chain, anklet] = [
    await stored({ name: 'Ring' }),
    await stored({ name: 'Chain' }),
    await stored({ name: 'Anklet' }),
  ];
  await requests.save(ring, { ...input, name: 'Ring', price: 5_000 });
  await stack.sql('update public.products set stock = stock - 1 where id = $1', [anklet.id]);
  await ask('delete', { ids: [chain.id] });
  const rows = [ring, chain, anklet].map((product) => ({
    id: product.id,
    product: { ...input, name: product.name, stock: 50 },
    seen: seenOf(product),
  }));
  const answer = await ask('save', { rows: [...rows, added({ name: 'New' })] });
  expect(answer).toMatchObject({ status: 409, json: { error: 'changed' } });
  expect(answer.json['refused']).toEqual(
    expect.arrayContaining([
      { id: ring.id, name: 'Ring', why: 'changed' },
      { id: chain.id, name: 'Chain', why: 'deleted' },
      { id: anklet.id, name: 'Anklet', why: 'stock' },
    ]),
  );
  expect((await list('?sort=name')).products).toMatchObject([
    { name: 'Anklet', stock: 9 },
    { name: 'Ring', price: 5_000, stock: 10 },
  ]);
});

test('products are deleted and brought back together', async () => {
  const ids = [(await stored()).id, (await stored()).id];
  expect(await ask('delete', { ids: [...ids, crypto.randomUUID()] })).toMatchObject({
    status: 200,
    json: { ids: [...ids].sort() },
  });
  expect((await list()).total).toBe(0);
  expect(await ask('restore', { ids })).toMatchObject({
    status: 200,
    json: { ids: [...ids].sort() },
  });
  expect((await list()).total).toBe(2);
});

test('a list longer than a function takes is refused with what to do', async () => {
  const rows = Array.from({ length: 1_500 }, () => added({ description: 'A'.repeat(4_000) }));
  expect(await ask('save', { rows })).toMatchObject({
    status: 413,
    json: { message: expect.stringContaining('split the file in two') as string },
  });
});

test('a list that cannot be saved is refused, and nothing is written', async () => {
  const row = added();
  await eachRow<[string, unknown]>(
    [
      ['save', {}],
      ['save', { rows: [] }],
      ['save', { rows: [row, row] }],
      ['save', { rows: [{ ...row, product: { ...input, price: 0 } }] }],
      ['save', { rows: [{ ...row, seen: { updatedAt: 'today', stock: 1 } }] }],
      ['save', { rows: Array.from({ length: 2_001 }, () => added()) }],
      ['delete', { ids: [] }],
      ['restore', { ids: ['x'] }],
      ['compare', { ids: [], names: ['\0'] }],
    ],
    async ([action, body]) => {
      expect((await ask(action, body)).status).toBe(400);
    },
  );
  expect((await list()).total).toBe(0);
});
