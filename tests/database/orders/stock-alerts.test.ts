import { afterAll, beforeEach, expect, test } from 'vitest';
import { eachRow } from '../../each-row.ts';
import { one } from '../support/database.ts';
import { createDatabase } from '../support/postgres.ts';
import { addProduct, addShopper, placeOpen, release } from '../support/shop-rows.ts';

const database = await createDatabase();
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('delete from public.stock_alerts where true');
  await database.query('delete from public.outbox where true');
});

const ask = async (
  product: string,
  size: string | null = null,
  email = 'Asha@Example.com',
): Promise<unknown> =>
  (
    await one<{ outcome: unknown }>(
      database,
      `select public.ask_stock_alert($1, $2, $3) ->> 'outcome' as outcome`,
      product,
      size,
      email,
    )
  ).outcome;
const mails = async (): Promise<string[]> =>
  (
    await database.query<{ told: string }>(
      `select recipient || ': ' || (payload ->> 'name') as told from public.outbox where kind = 'back_in_stock' order by 1`,
    )
  ).map(({ told }) => told);
const waiting = async (): Promise<number> =>
  (await one<{ n: number }>(database, 'select count(*)::int as n from public.stock_alerts')).n;

test('who waits is told once, by an edit, by a hold that ends, or when a hidden product is shown again', () =>
  eachRow(
    [
      [
        'an edit',
        (id: string) => database.query('update public.products set stock = 2 where id = $1', id),
      ],
      [
        'shown',
        async (id: string) => {
          await database.query(
            'update public.products set hidden = true, stock = 2 where id = $1',
            id,
          );
          expect(await mails()).toEqual([]);
          await database.query('update public.products set hidden = false where id = $1', id);
        },
      ],
    ] as const,
    async ([, comeBack]) => {
      await database.query('delete from public.outbox where true');
      const ring = await addProduct(database, { stock: 0 });
      expect([await ask(ring), await ask(ring), await ask(ring, null, 'gita@example.com')]).toEqual(
        ['waiting', 'waiting', 'waiting'],
      );
      await database.query(`update public.products set name = 'Moon ring' where id = $1`, ring);
      expect(await mails()).toEqual([]);
      await comeBack(ring);
      expect(await mails()).toEqual(['asha@example.com: Moon ring', 'gita@example.com: Moon ring']);
      expect(await waiting()).toBe(0);
      await database.query('update public.products set stock = 0 where id = $1', ring);
      await database.query('update public.products set stock = 5 where id = $1', ring);
      expect(await mails()).toHaveLength(2);
    },
  ));

test('the last piece that a shopper holds is sold out, and back when the order ends unpaid', async () => {
  const ring = await addProduct(database, { stock: 1 });
  const order = await placeOpen(database, await addShopper(database), [
    { product_id: ring, quantity: 1 },
  ]);
  expect(await ask(ring)).toBe('waiting');
  await release(database, order.id);
  expect(await mails()).toEqual(['asha@example.com: Temple ring']);
});

test('who waits for a size is told of that size alone', async () => {
  const ring = await addProduct(database, { sizes: { '12': 0, '14': 3 } });
  expect([
    await ask(ring, '12'),
    await ask(ring, '14'),
    await ask(ring, '16'),
    await ask(ring),
  ]).toEqual(['waiting', 'available', 'unknown', 'available']);
  await database.query(
    `update public.products set sizes = '[{"size": "12", "stock": 0}, {"size": "14", "stock": 9}]' where id = $1`,
    ring,
  );
  expect(await mails()).toEqual([]);
  await database.query(
    `update public.products set sizes = '[{"size": "12", "stock": 1}, {"size": "14", "stock": 9}]' where id = $1`,
    ring,
  );
  expect(await mails()).toEqual(['asha@example.com: Temple ring · Size 12']);
});

test('nobody waits for what shoppers cannot see, and the admin takes addresses off the list', async () => {
  const hidden = await addProduct(database, { stock: 0 });
  await database.query('update public.products set hidden = true where id = $1', hidden);
  expect([await ask(hidden), await ask(crypto.randomUUID())]).toEqual(['unknown', 'unknown']);
  const ring = await addProduct(database, { stock: 0 });
  await ask(ring, null, 'gita@example.com');
  const { all } = await one<{ all: { id: number; email: string }[] }>(
    database,
    'select public.list_stock_alerts() as all',
  );
  expect(all).toMatchObject([{ email: 'gita@example.com', name: 'Temple ring', productId: ring }]);
  await database.query(
    'select public.delete_stock_alerts($1)',
    all.map(({ id }) => id),
  );
  expect(await waiting()).toBe(0);
});

test('the address is gone once its mail is sent, and stays while it is not', async () => {
  const ring = await addProduct(database, { stock: 0 });
  await ask(ring);
  await database.query('update public.products set stock = 1 where id = $1', ring);
  const { id } = await one<{ id: string }>(
    database,
    `select id from public.outbox where kind = 'back_in_stock'`,
  );
  await database.query(`select public.finish_outbox($1, 'EAUTH')`, id);
  expect(await mails()).toHaveLength(1);
  await database.query('select public.finish_outbox($1, null)', id);
  expect(
    await one(
      database,
      'select recipient, sent_at is not null as sent from public.outbox where id = $1',
      id,
    ),
  ).toEqual({ recipient: null, sent: true });
});
