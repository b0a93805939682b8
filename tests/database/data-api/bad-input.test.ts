import { expect, test } from 'vitest';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { customerDetails } from '#tests/database/support/shop-database.ts';
import { eachRow } from '#tests/each-row.ts';

/*
 * The functions check the arguments of place_order before; these are the database's own checks, for the day when
 * that check is wrong. Every refusal is SQLSTATE 22023, and nothing is written.
 */
const database = await useDatabase();
const customer = await database.addCustomer();
const ring = await database.addProduct({ price: 1_000, stock: 100 });

const line = { product_id: ring, quantity: 1 };
const good = { user: customer, lines: [line] as unknown, customer: customerDetails as unknown };

/** Calls place_order with `changes`; `lines` may be a text, because JSON can say numbers that JavaScript cannot. */
async function refusal(changes: object, args: object = {}): Promise<string> {
  const { user, lines, customer: details } = { ...good, ...changes };
  const { key, expected, bps, hold } = {
    key: crypto.randomUUID(),
    expected: 102_360,
    bps: 236,
    hold: 900,
    ...args,
  };
  const state = await sqlState(
    database.query(
      'select public.place_order($1, $2, $3::jsonb, $4::jsonb, $5, $6, $7)',
      ...[user, key, typeof lines === 'string' ? lines : JSON.stringify(lines)],
      ...[JSON.stringify(details), expected, bps, hold],
    ),
  );
  expect(await database.value('select count(*)::int from public.orders')).toBe(0);
  expect(await database.stockOf(ring)).toBe(100);
  return state;
}

test('place_order refuses a quantity that is no whole number from 1 to 100,000', () =>
  eachRow(['0', '-1', '1.5', '1.0', '1e309', '100001', '"1"', 'null', '[1]'], async (quantity) => {
    const lines = `[{"product_id":"${ring}","quantity":${quantity}}]`;
    expect(await refusal({ lines })).toBe('22023');
  }));

test('place_order refuses a value that is no product id', () =>
  eachRow(
    ['', 'ring', `${ring} `, `{${ring}}`, 'urn:uuid:' + ring, 7, null, [ring]],
    async (id) => {
      expect(await refusal({ lines: [{ product_id: id, quantity: 1 }] })).toBe('22023');
    },
  ));

test('place_order refuses lines that are not a list of different products, or more than 50', () =>
  eachRow(
    [
      null,
      line,
      '"ring"',
      [],
      [ring],
      [null],
      [{ quantity: 1 }],
      [{ product_id: ring }],
      [line, { product_id: crypto.randomUUID(), quantity: 0 }],
      [line, { product_id: ring.toUpperCase(), quantity: 2 }],
      Array.from({ length: 51 }, () => ({ product_id: crypto.randomUUID(), quantity: 1 })),
    ],
    async (lines) => {
      expect(await refusal({ lines })).toBe('22023');
    },
  ));

test('place_order refuses a customer with a field missing, too long or of another kind', () => {
  const longest = { name: 100, email: 255, phone: 20, address: 500, city: 100, postal_code: 10 };
  return eachRow(
    [
      null,
      [],
      {},
      ...Object.entries({ ...longest, notes: 1_000 }).flatMap(([field, max]) =>
        ['@'.repeat(max + 1), 7, ['x@y.z']].map((value) => ({
          ...customerDetails,
          [field]: value,
        })),
      ),
      ...Object.keys(longest).flatMap((field) =>
        ['  ', null].map((value) => ({ ...customerDetails, [field]: value })),
      ),
      { ...customerDetails, email: 'nobody' },
    ],
    async (details) => {
      expect(await refusal({ customer: details })).toBe('22023');
    },
  );
});

test('place_order refuses anything else that is missing or out of bounds, and a customer who does not exist', async () => {
  await eachRow([{ user: null }, { lines: 'null' }], async (changes) => {
    expect(await refusal(changes)).toBe('22023');
  });
  await eachRow(
    [
      ...['key', 'expected', 'bps', 'hold'].map((name) => ({ [name]: null })),
      ...[{ bps: -1 }, { bps: 10_001 }, { hold: 0 }, { hold: 604_801 }],
    ],
    async (args) => {
      expect(await refusal({}, args)).toBe('22023');
    },
  );
  expect(await refusal({ user: crypto.randomUUID() })).toBe('23503');
});
