import { expect, test } from 'vitest';
import type { Outcome } from '../support/shop-database.ts';
import { useDatabase } from '../support/postgres.ts';
import type { ShopDatabase } from '../support/shop-database.ts';
import { times } from '../../soak.ts';

/* The admin edits while customers buy, on connections that really run at once. */
const postgres = await useDatabase();
const connections = await postgres.connect(times(50, 110));

const newCustomer = (database: ShopDatabase): Promise<string> =>
  database.value(
    `insert into auth.users (email) values (gen_random_uuid() || '@example.com') returning id`,
  );

const hide = async (database: ShopDatabase, id: string): Promise<Outcome> =>
  database.saveProduct(await database.readProduct(id), { hidden: true, price: 10_000 });

test('many sales against edits of words and of stock: every unit is accounted for, no edit is lost unseen', async () => {
  const { product } = await postgres.insertProduct({ stock: 500, price: 10_000 });
  const [editors, customers] = [connections.slice(0, 6), connections.slice(6, times(36, 106))];
  const count = { sold: 0, words: 0, stock: 0, refused: 0, added: 0 };
  let isOpen = true;

  const buy = async (database: ShopDatabase): Promise<void> => {
    for (let time = 0; time < 2; time += 1) {
      // Equal carts of one customer would be one order.
      const customer = await newCustomer(database);
      const { outcome } = await database.place(
        customer,
        [{ product_id: product.id, quantity: 1 }],
        {
          expected: 10_236,
        },
      );
      // No edit ever gets in the way of a sale.
      expect(outcome).toBe('placed');
      count.sold += 1;
    }
  };
  const edit = async (database: ShopDatabase, index: number): Promise<void> => {
    for (let round = 0; isOpen; round += 1) {
      const seen = await database.readProduct(product.id);
      // Half the editors bring new products, the others only words.
      const more = index % 2 === 0 ? 1 : 0;
      const words = {
        description: `${String(index)} ${String(round)}`,
        price: 10_000,
        stock: seen.stock + more,
      };
      const { outcome } = await database.saveProduct(seen, words);
      if (outcome === 'changed') count.refused += 1;
      else if (more === 1) count.added += 1;
      else count.words += 1;
    }
  };
  const editing = editors.map(edit);
  await Promise.all(customers.map(buy)).finally(() => {
    isOpen = false;
  });
  await Promise.all(editing);
  const { stock } = await postgres.readProduct(product.id);
  expect(count.sold).toBe(customers.length * 2);
  expect(stock).toBe(500 - count.sold + count.added);
  expect(count.refused).toBeGreaterThan(0);
  expect(count.words).toBeGreaterThan(0);
  expect(await postgres.deadlocks()).toBe(0);
});

test('one of two simultaneous saves of a form is stored, and the other asks', async () => {
  for (let round = 0; round < times(5, 30); round += 1) {
    const { product } = await postgres.insertProduct();
    const saves = connections
      .slice(0, 8)
      .map((database, index) =>
        database.saveProduct(product, { name: `Name ${String(index)}`, stock: 20 + index }),
      );
    const outcomes = (await Promise.all(saves)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'saved')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'changed')).toHaveLength(7);
  }
});

test('hiding or deleting against many sales: what was placed before is kept, nothing is sold afterwards', async () => {
  for (const end of ['hide', 'delete'] as const) {
    const { product } = await postgres.insertProduct({ stock: 500, price: 10_000 });
    const cart = [{ product_id: product.id, quantity: 1 }];
    const counts = { placed: 0, refused: 0 };
    let isOver = false;
    const gate = Promise.withResolvers<undefined>();
    const buy = async (database: ShopDatabase): Promise<void> => {
      while (counts.refused < 30) {
        const startedAfter = isOver;
        const { outcome } = await database.place(await newCustomer(database), cart, {
          expected: 10_236,
        });
        expect(['placed', 'unknown_product']).toContain(outcome);
        if (startedAfter) expect(outcome).toBe('unknown_product');
        counts[outcome === 'placed' ? 'placed' : 'refused'] += 1;
        if (counts.placed >= 10) gate.resolve(undefined);
      }
    };
    const buying = connections.slice(1, 21).map(buy);
    await gate.promise;
    const [first] = connections;
    if (!first) throw new Error('There is no connection');
    if (end === 'delete') expect(await first.deleteProduct(product.id)).toBe(true);
    else expect((await hide(first, product.id)).outcome).toBe('saved');
    isOver = true;
    await Promise.all(buying);
    const stock = await postgres.value<number>(
      'select stock from public.products where id = $1',
      product.id,
    );
    expect(stock).toBe(500 - counts.placed);
  }
  expect(await postgres.deadlocks()).toBe(0);
});

test('one new product sent by 50 connections at once is one product', async () => {
  const id = crypto.randomUUID();
  const answers = await Promise.all(
    connections.slice(0, 50).map((database) => database.insertProduct({}, id)),
  );
  expect(answers.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
  expect(answers.every(({ product }) => product.id === id)).toBe(true);
});

test('a build that reads a version first contains every change up to it', async () => {
  let isOpen = true;
  const [writers, readers] = [connections.slice(0, 20), connections.slice(20, 26)];
  const ids = (await Promise.all(writers.map((database) => database.insertProduct()))).map(
    ({ product }) => product.id,
  );
  const write = async (database: ShopDatabase, index: number): Promise<void> => {
    for (let round = 0; round < times(8, 30); round += 1) {
      const seen = await database.readProduct(ids[index] ?? '');
      await database.saveProduct(seen, { description: String(round) });
    }
  };
  let looks = 0;
  const read = async (database: ShopDatabase): Promise<void> => {
    while (isOpen) {
      const version = await database.value<string>('select version from public.catalogue_version');
      const seen = await database.one<{ n: string }>(
        'select count(*) as n from public.product_changes where version <= $1',
        version,
      );
      expect(Number(seen.n)).toBe(Number(version));
      looks += 1;
    }
  };
  const reading = readers.map(read);
  await Promise.all(writers.map(write)).finally(() => {
    isOpen = false;
  });
  await Promise.all(reading);
  expect(looks).toBeGreaterThan(20);
});

test('50 sweeps at once ask for one build', async () => {
  await postgres.insertProduct();
  expect((await postgres.unpublished(0)).count).toBeGreaterThan(0);
  const asked = await Promise.all(
    connections.slice(0, 50).map((database) => database.requestBuild('auto', 0)),
  );
  expect(asked.filter((id) => id !== null)).toHaveLength(1);
});

test('guesses from many connections at once: ten are looked at', async () => {
  const sql = `select (public.count_login_attempt($1, null, 5, 10, 86400) ->> 'allowed')::boolean as allowed`;
  let [tries, allowed] = [0, 0];
  const guess = async (database: ShopDatabase, index: number): Promise<void> => {
    for (let time = 0; time < times(4, 10); time += 1) {
      const row = await database.one<{ allowed: boolean }>(sql, `address ${String(index % 50)}`);
      tries += 1;
      if (row.allowed) allowed += 1;
    }
  };
  await Promise.all(connections.slice(0, 100).map(guess));
  expect([tries, allowed]).toEqual([Math.min(connections.length, 100) * times(4, 10), 10]);
  expect(await postgres.deadlocks()).toBe(0);
});
