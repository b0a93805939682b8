import { beforeEach, expect, test } from 'vitest';
import type { AdminProduct, ProductInput } from '#domain/admin/products/product-input.ts';
import { eachRow } from '#tests/each-row.ts';
import { logIn } from '#tests/functions/admin/admin-client.ts';
import { input, openProductRequests } from './product-requests.ts';

const requests = await openProductRequests();
const { stack, stored, list } = requests;
const admin = await logIn(stack);
beforeEach(() => stack.sql('delete from public.products'));

const save = (body: unknown) => admin.ask('POST', '/api/admin/catalogue/save', body);
const seenOf = ({ updatedAt, stock }: AdminProduct) => ({ updatedAt, stock });
const added = (product: Partial<ProductInput> = {}) => ({
  id: crypto.randomUUID(),
  product: { ...input, ...product },
  seen: null,
});
test('one product that was changed or deleted in the meantime refuses all, by name', async () => {
  const [ring, chain, anklet] = [
    await stored({ name: 'Ring' }),
    await stored({ name: 'Chain' }),
    await stored({ name: 'Anklet' }),
  ];
  await requests.save(ring, { ...input, name: 'Ring', price: 5_000 });
  await stack.sql('update public.products set stock = stock - 1 where id = $1', [anklet.id]);
  await requests.ask('DELETE', `/${chain.id}`);
  const rows = [ring, chain, anklet].map((product) => ({
    id: product.id,
    product: { ...input, name: product.name, stock: 50 },
    seen: seenOf(product),
  }));
  const answer = await save({ rows: [...rows, added({ name: 'New' })] });
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

test('a list longer than a function takes is refused with what to do', async () => {
  const rows = Array.from({ length: 1_500 }, () => added({ description: 'A'.repeat(4_000) }));
  expect(await save({ rows })).toMatchObject({
    status: 413,
    json: { message: expect.stringContaining('choose fewer products') as string },
  });
});

test('a list that cannot be saved is refused, and nothing is written', async () => {
  const row = added();
  await eachRow<unknown>(
    [
      {},
      { rows: [] },
      { rows: [row, row] },
      { rows: [{ ...row, product: { ...input, price: 0 } }] },
      { rows: [{ ...row, seen: { updatedAt: 'today', stock: 1 } }] },
      { rows: Array.from({ length: 2_001 }, () => added()) },
    ],
    async (body) => {
      expect((await save(body)).status).toBe(400);
    },
  );
  expect((await list()).total).toBe(0);
});
