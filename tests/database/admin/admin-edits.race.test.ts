import { expect, test } from 'vitest';
import { oneAfterTheOther, race, useDatabase } from '#tests/database/support/postgres.ts';
import type { AdminProductRow, ShopDatabase } from '#tests/database/support/shop-database.ts';
import { times } from '#tests/soak.ts';

/* The admin edits while customers buy, on connections that really run at once. */
const postgres = await useDatabase();
const connections = await postgres.connect(times(50, 110));

const addRing = async (): Promise<AdminProductRow> =>
  (await postgres.insertProduct({ stock: 5, price: 10_000 })).product;
const buying = async ({ id }: AdminProductRow) => {
  const customer = await postgres.addCustomer();
  return async (database: ShopDatabase): Promise<string> => {
    const lines = [{ product_id: id, quantity: 1 }];
    return (await database.place(customer, lines, { expected: 10_236 })).outcome;
  };
};
const saving =
  (seen: AdminProductRow, fields: Parameters<ShopDatabase['saveProduct']>[1]) =>
  async (database: ShopDatabase): Promise<string> =>
    (await database.saveProduct(seen, { price: 10_000, ...fields })).outcome;

test('an edit of the stock waits for a sale and is refused then, one of the words is stored', async () => {
  for (const [fields, outcome, stock] of [
    [{ stock: 9 }, 'changed', 4],
    [{ description: 'New words' }, 'saved', 4],
  ] as const) {
    const ring = await addRing();
    expect(await oneAfterTheOther(postgres, await buying(ring), saving(ring, fields))).toEqual([
      'placed',
      outcome,
    ]);
    expect(await postgres.stockOf(ring.id)).toBe(stock);
  }
});

test('a sale waits for an edit of the stock and counts from it, and is refused when the product is hidden or deleted', async () => {
  const edited = await addRing();
  expect(
    await oneAfterTheOther(postgres, saving(edited, { stock: 9 }), await buying(edited)),
  ).toEqual(['saved', 'placed']);
  expect(await postgres.stockOf(edited.id)).toBe(8);

  const hidden = await addRing();
  expect(
    await oneAfterTheOther(postgres, saving(hidden, { hidden: true }), await buying(hidden)),
  ).toEqual(['saved', 'unknown_product']);

  const deleted = await addRing();
  expect(
    await oneAfterTheOther(
      postgres,
      (database) => database.deleteProduct(deleted.id),
      await buying(deleted),
    ),
  ).toEqual([true, 'unknown_product']);
});

test('one of eight simultaneous saves of a form is stored, and the others ask', async () => {
  const { product } = await postgres.insertProduct();
  expect(
    await race(connections.slice(0, 8), (database, index) =>
      saving(product, { name: `Name ${String(index)}` })(database),
    ),
  ).toEqual({ saved: 1, changed: 7 });
});

test('one new product sent by 50 connections at once is one product', async () => {
  const id = crypto.randomUUID();
  expect(
    await race(
      connections.slice(0, 50),
      async (database) => (await database.insertProduct({}, id)).outcome,
    ),
  ).toEqual({ created: 1, exists: 49 });
});

test('edits of two products get their versions one after the other: a build that reads a version has every change up to it', async () => {
  const [ring, chain] = [await addRing(), await addRing()];
  expect(
    await oneAfterTheOther(
      postgres,
      saving(ring, { name: 'Moon ring' }),
      saving(chain, { name: 'Moon chain' }),
    ),
  ).toEqual(['saved', 'saved']);
});

test('50 sweeps at once ask for one build', async () => {
  await postgres.insertProduct();
  expect(
    await race(connections.slice(0, 50), async (database) =>
      (await database.requestBuild('auto', 0)) === null ? 'none' : 'asked',
    ),
  ).toEqual({ asked: 1, none: 49 });
});

test('guesses from many connections at once: ten are looked at', async () => {
  const counts = { true: 0, false: 0 };
  await Promise.all(
    connections.slice(0, 100).map(async (database, index) => {
      for (let time = 0; time < times(4, 10); time += 1) {
        const allowed = await database.value<boolean>(
          `select (public.count_login_attempt($1, null) ->> 'allowed')::boolean`,
          `address ${String(index % 50)}`,
        );
        counts[allowed ? 'true' : 'false'] += 1;
      }
    }),
  );
  expect(counts.true).toBe(10);
  expect(await postgres.deadlocks()).toBe(0);
});
