import { beforeEach, describe, expect, test } from 'vitest';
import { reportFigures } from '#tests/figures.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase, type Asker } from '#tests/database/support/postgres.ts';
import { newPaymentId } from '#tests/database/support/shop-database.ts';

/*
 * Every table × select, insert, update, delete × visitor, customer A, customer B, service. A's rows are in every table. The
 * tables are read from the catalogue, so that a new one is under these rules from its first day: closed to browsers.
 */
const database = await useDatabase();
const [a, b] = [
  await database.addCustomer('a@example.com'),
  await database.addCustomer('b@example.com'),
];
const ring = await database.addProduct({ stock: 5 });
const order = await database.placeOpen(a, [{ product_id: ring, quantity: 1 }], {
  details: { email: 'a@example.com' },
});
await database.markPaid(order, newPaymentId(), { eventId: 'event_1' });
const [draft, gone] = [await database.addProduct(), await database.addProduct()];
await database.query('update public.products set hidden = true where id = $1', draft);
await database.query('select public.delete_product($1)', gone);
await database.markPaid(order, newPaymentId());
await database.run(
  `select public.count_cost('form'); insert into public.form_entries (form) values ('contact');
   select public.open_admin_session(repeat('a', 64), repeat('b', 64), 60, 'here', null);
   select public.offer_second_factor(repeat('A', 32));
   select public.request_build('admin', 0, 0);
    select public.save_push_subscription('https://push.example.com/1', repeat('a', 87), repeat('a', 22), 1, 'Chrome on Android'); insert into public.pictures (path) values ('products/a.webp');
   insert into public.shop_notice values (true, 'Away', '2026-01-01', '2026-01-02', true, 0);
   insert into public.occasion values (true, 'Onam', 'For Onam', '2026-01-01', '2026-01-02', array['${ring}', gen_random_uuid()]::uuid[]);
   insert into public.discount_codes (code, percent, first_day, last_day) values ('ONAM', 10, '2026-01-01', '2026-01-31');
   insert into public.stock_alerts (product_id, email) select id, 'c@example.com' from public.products limit 1;
   insert into public.reviews (product_id, order_id, stars, words, name) values ('${ring}', ${String(order.id)}, 5, 'Shines', 'A');
   insert into public.wishlists (user_id, product_id) values ('${a}', '${ring}')`,
);
await database.query(`select public.assign_invoice($1, '{}')`, order.id);
await database.query(
  `select public.change_order_details($1, '{"admin_note": {"from": "", "to": "x"}}', false)`,
  order.id,
);
await database.query(
  `select public.request_refund($1, gen_random_uuid(), 100, 'A scratch')`,
  order.id,
);
await database.query(
  `select public.finish_refund(id, 'rfnd_1') from public.refunds where amount_paise = 100`,
);
await database.query(
  `select public.issue_credit_note(id, '{}', 0) from public.refunds where amount_paise = 100`,
);

interface Table {
  name: string;
  columns: string[];
  /** Those that a statement may set. */
  settable: string[];
}
const tables = await database.query<Table>(
  `select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns,
     array_agg(quote_ident(a.attname) order by a.attnum) filter (where a.attidentity <> 'a') as settable
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') group by 1 order by 1`,
);

const visitor: Asker = { role: 'anon' };
const customerA: Asker = { role: 'authenticated', claims: { sub: a, email: 'a@example.com' } };
const customerB: Asker = { role: 'authenticated', claims: { sub: b, email: 'b@example.com' } };
const service: Asker = { role: 'service_role' };

const actions = {
  select: ({ name }: Table) => `select 1 from public.${name} limit 1`,
  insert: ({ name, columns }: Table) =>
    `insert into public.${name} (${columns.join()}) overriding system value select ${columns.join()} from public.${name} where false`,
  update: ({ name, settable }: Table) =>
    `update public.${name} set ${settable.map((column) => `${column} = ${column}`).join()}`,
  delete: ({ name }: Table) => `delete from public.${name}`,
};
type Action = keyof typeof actions;
const everyAction = Object.keys(actions) as Action[];

/** The rights of browsers on whole tables; the single columns and rows are in their own tests. */
const allowed: Readonly<Record<string, { anon: Action[]; authenticated: Action[] }>> = {
  products: { anon: ['select'], authenticated: ['select'] },
  shop_notice: { anon: ['select'], authenticated: ['select'] },
  occasion: { anon: ['select'], authenticated: ['select'] },
  catalogue_version: { anon: ['select'], authenticated: ['select'] },
  // Single columns of the published ones.
  reviews: { anon: ['select'], authenticated: ['select'] },
  profiles: { anon: [], authenticated: ['select'] },
  orders: { anon: [], authenticated: ['select'] },
  // Inserted are single columns: for whom is not one of them.
  wishlists: { anon: [], authenticated: ['select', 'delete'] },
};

test('there is something to steal in the tables', async () => {
  const filled: string[] = [];
  for (const { name } of tables)
    if ((await database.query(`select 1 from public.${name} limit 1`)).length > 0)
      filled.push(name);
  expect(filled.length).toBeGreaterThanOrEqual(25);
});

describe('each action on each table', () => {
  type States = Record<string, string>;
  const closed = { anon: [], authenticated: [] };
  const tried = { cases: 0, 'wrong cases': 0 };
  const countCases = (states: States, expected: States): void => {
    tried.cases += Object.keys(expected).length;
    tried['wrong cases'] += Object.keys(expected).filter(
      (name) => states[name] !== expected[name],
    ).length;
    reportFigures(10, tried);
  };

  /** The outcome of every action on every table, by name: 'none' or an SQLSTATE. */
  async function statesFor(asker: Asker): Promise<States> {
    const states: States = {};
    for (const table of tables) {
      for (const action of everyAction)
        states[`${action} ${table.name}`] = await sqlState(
          database.as(asker, actions[action](table)),
        );
    }
    return states;
  }
  const expectedFor = (role: 'anon' | 'authenticated'): States =>
    Object.fromEntries(
      tables.flatMap(({ name }) =>
        everyAction.map((action) => [
          `${action} ${name}`,
          (allowed[name] ?? closed)[role].some((one) => one === action) ? 'none' : '42501',
        ]),
      ),
    );

  test('by a visitor', async () => {
    const states = await statesFor(visitor);
    countCases(states, expectedFor('anon'));
    expect(states).toEqual(expectedFor('anon'));
  });

  test('by a customer, whoever the rows are of', async () => {
    for (const customer of [customerA, customerB]) {
      const states = await statesFor(customer);
      countCases(states, expectedFor('authenticated'));
      expect(states).toEqual(expectedFor('authenticated'));
    }
  });

  test('by the service, which may do all', async () => {
    const states: States = {};
    for (const table of tables)
      for (const action of everyAction) {
        const statement = actions[action](table) + (action === 'delete' ? ' where false' : '');
        states[`${action} ${table.name}`] = await sqlState(database.as(service, statement));
      }
    countCases(states, Object.fromEntries(Object.keys(states).map((name) => [name, 'none'])));
    expect(Object.entries(states).filter(([, state]) => state !== 'none')).toEqual([]);
  });
});

describe('rows', () => {
  // The embedded stack grants whole tables to the browser roles when it starts; the policies alone must hold as well.
  const grants = {
    'the grants of the migrations': 'select 1',
    'whole tables granted': 'grant all on all tables in schema public to anon, authenticated',
  };
  const count = async (asker: Asker, table: string): Promise<unknown> =>
    (await database.as(asker, `select count(*)::int as n from public.${table}`))[0]?.['n'];

  describe.each(Object.entries(grants))('with %s', (_name, grant) => {
    beforeEach(() => database.run(grant));

    test('everyone sees the catalogue, and nobody its hidden and deleted products', async () => {
      for (const asker of [visitor, customerA]) {
        expect(await database.as(asker, 'select id from public.products')).toEqual([{ id: ring }]);
        expect(
          await database.as(
            asker,
            'select id from public.products where hidden or deleted_at is not null',
          ),
        ).toEqual([]);
      }
      expect(await count(service, 'products')).toBe(3);
    });

    test('a customer sees their own profile and orders, the service sees all', async () => {
      expect([
        await count(customerA, 'profiles'),
        await count(customerB, 'profiles'),
        await count(service, 'profiles'),
      ]).toEqual([1, 1, 2]);
      expect([
        await count(customerA, 'orders'),
        await count(customerB, 'orders'),
        await count(service, 'orders'),
      ]).toEqual([1, 0, 1]);
      expect(await database.as(customerA, 'select id from public.profiles')).toEqual([{ id: a }]);
    });

    test('a customer changes their own profile and nobody else their', async () => {
      const own = `update public.profiles set phone = '9847012345' where id = $1 returning id`;
      expect(await database.as(customerA, own, a)).toEqual([{ id: a }]);
      expect(await database.as(customerB, own, a)).toEqual([]);
    });

    test.each(['id', 'email'])(
      'a customer cannot change the %s of their profile',
      async (column) => {
        const sql = `update public.profiles set ${column} = $1 where id = $2`;
        const value = column === 'id' ? b : 'b@example.com';
        expect(await sqlState(database.as(customerA, sql, value, a))).toBe('42501');
      },
    );

    /** Rows that a statement changes. A missing grant denies it, a missing policy finds no row; any other error is none of both. */
    const changedRows = async (asker: Asker, sql: string): Promise<number> => {
      try {
        return (await database.as(asker, sql)).length;
      } catch (error) {
        expect((error as { code?: string }).code, sql).toBe('42501');
        return 0;
      }
    };

    test('a customer cannot make an order paid, nor any row', async () => {
      for (const { name } of tables) {
        for (const asker of [visitor, customerA, customerB]) {
          // Their own rows of these are theirs to change; see the tests of both.
          if (name === 'profiles' || name === 'wishlists') continue;
          expect(await changedRows(asker, `delete from public.${name} returning 1`), name).toBe(0);
          expect(
            await sqlState(database.as(asker, `insert into public.${name} default values`)),
            name,
          ).toBe('42501');
        }
      }
      const pay = `update public.orders set status = status returning 1`;
      expect(await changedRows(customerA, pay)).toBe(0);
      expect(await database.query(pay), 'the orders are there').not.toEqual([]);
    });
  });
});

// This test is the last, because the block above has granted whole tables.
test('whole tables granted, a visitor still sees no orders, profiles or money', async () => {
  for (const { name } of tables.filter(
    ({ name }) => !['products', 'shop_notice', 'occasion', 'catalogue_version'].includes(name),
  )) {
    expect(await database.as(visitor, `select 1 from public.${name}`), name).toEqual([]);
  }
  for (const { name } of tables.filter((table) => !(table.name in allowed))) {
    expect(await database.as(customerA, `select 1 from public.${name}`), name).toEqual([]);
  }
});
