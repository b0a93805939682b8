import { expect, test } from 'vitest';
import { sqlState } from '#tests/database/support/database.ts';
import { race, useDatabase } from '#tests/database/support/postgres.ts';
import type { AdminProductRow, ShopDatabase } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();
const connections = await database.connect(9);

interface Saved {
  outcome: string;
  refused: { id: string; outcome: string; fields_changed?: boolean; product?: AdminProductRow }[];
}
const ring = {
  name: 'Ring',
  description: '',
  category: 'rings',
  price: 10_000,
  offerPrice: null,
  stock: 10,
  hidden: false,
  images: [],
  imageAlts: [],
  attributes: {},
};
const seenOf = ({ updated_at: updatedAt, stock }: AdminProductRow) => ({ updatedAt, stock });
const edit = (seen: AdminProductRow, fields: Partial<typeof ring> = {}) => ({
  id: seen.id,
  product: { ...ring, stock: seen.stock, ...fields },
  seen: seenOf(seen),
});
const saveAll = (at: ShopDatabase, rows: readonly object[]): Promise<Saved> =>
  at.value('select public.save_products($1::jsonb)', JSON.stringify(rows));
const add = async (): Promise<AdminProductRow> =>
  (await database.insertProduct({ name: 'Ring', price: 10_000 })).product;
const rows = async (): Promise<unknown[]> =>
  database.query('select * from public.products order by id');
const version = (): Promise<number> =>
  database.value('select version::int from public.catalogue_version');

test('several products are saved together or not at all: one that moved on leaves every row and the log as they were', async () => {
  const [first, second] = [await add(), await add()];
  await database.saveProduct(second, { price: 5_000 });
  const before = [await rows(), await version()];
  const wanted = [
    edit(first, { price: 1_000 }),
    edit(second, { price: 1_000 }),
    { id: crypto.randomUUID(), product: ring, seen: null },
  ];
  expect(await saveAll(database, wanted)).toMatchObject({
    outcome: 'refused',
    refused: [{ id: second.id, outcome: 'changed', fields_changed: true, product: { price: 50 } }],
  });
  expect([await rows(), await version()]).toEqual(before);
  expect(await saveAll(database, [wanted[0] ?? {}, wanted[2] ?? {}])).toMatchObject({
    outcome: 'saved',
    refused: [],
  });
  expect(await database.readProduct(first.id)).toMatchObject({ price: 10 });
});

test('one row that breaks a rule of the table stops the whole edit, and a repeated id is refused', async () => {
  const [first, before] = [await add(), await rows()];
  expect(
    await sqlState(
      saveAll(database, [
        edit(first, { price: 1_000 }),
        { id: crypto.randomUUID(), product: { ...ring, price: -1 }, seen: null },
      ]),
    ),
  ).toBe('23514');
  expect(await sqlState(saveAll(database, [edit(first), edit(first)]))).toBe('22023');
  expect((await rows()).length).toBe(before.length);
  expect(await database.readProduct(first.id)).toMatchObject({ price: 100 });
});

test('whole lists, single edits, deletions and sales at once: no deadlock, and every sale is counted', async () => {
  const ids: string[] = [];
  for (let product = 0; product < 12; product += 1) ids.push((await add()).id);
  const customers = await Promise.all(connections.map(() => database.addCustomer()));
  let sold = 0;
  const works: ((at: ShopDatabase, round: number, index: number) => Promise<unknown>)[] = [
    async (at) => {
      const edits: object[] = [];
      for (const id of ids)
        edits.push(edit(await at.readProduct(id), { description: crypto.randomUUID() }));
      await saveAll(at, edits);
    },
    async (at, round) =>
      at.saveProduct(await at.readProduct(ids.at(-1 - round) ?? ''), { price: 10_000 }),
    async (at, round, index) => {
      const lines = [ids[11 - round], ids[round]].map((id = '') => ({
        product_id: id,
        quantity: 1,
      }));
      const { outcome } = await at.place(customers[index] ?? '', lines, { expected: 20_472 });
      if (outcome === 'placed') sold += 2;
    },
  ];
  await race(connections, async (at, index) => {
    for (let round = 0; round < 5; round += 1)
      await works[index % works.length]?.(at, round, index);
    return 'done';
  });
  await race(connections.slice(0, 4), async (at, index) => {
    const name = index % 2 === 0 ? 'delete' : 'restore';
    await at.query(`select public.${name}_products($1)`, index < 2 ? ids : [...ids].reverse());
    return 'done';
  });
  expect(sold).toBeGreaterThan(0);
  const held = await database.value<number>(
    `select sum((i ->> 'quantity')::int)::int from public.orders, jsonb_array_elements(items) i where hold_state = 'held'`,
  );
  const sql = 'select sum(stock)::int from public.products where id = any ($1)';
  expect(await database.value(sql, ids)).toBe(120 - held);
});
