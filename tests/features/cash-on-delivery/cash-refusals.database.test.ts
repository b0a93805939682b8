import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import { endCashOrders, placeCash, receive, reserve, send } from './cash-orders.ts';

/* Whom SQL `private.cash_refusal` refuses cash on delivery. */
const database = await useDatabase();

let customer = '';
let ring = '';
beforeEach(async () => {
  await endCashOrders(database);
  customer = await database.addCustomer();
  ring = await database.addProduct({ price: 1_000, stock: 5 });
});

const one = () => [{ product_id: ring, quantity: 1 }];

test.each<[string, string, Parameters<typeof placeCash>[3]]>([
  ['below the smallest total', 'too_little', { terms: { ...sampleCash, minTotal: 105_001 } }],
  ['above the largest total', 'too_much', { terms: { ...sampleCash, maxTotal: 104_999 } }],
  ['at a PIN code of no courier', 'pin', { details: { postal_code: '110001' } }],
  ['for a phone that cannot be called', 'phone', { details: { phone: '+1 212 555 0100' } }],
])('cash on delivery is refused %s', async (_, reason, options) => {
  expect(await placeCash(database, customer, one(), options)).toEqual({
    outcome: 'no_cash',
    reason,
  });
  expect(await database.stockOf(ring)).toBe(5);
});

test('cash on delivery is possible at both limits of the total, and everywhere without a list of PIN codes', async () => {
  const { pins: _, ...everywhere } = sampleCash;
  const terms = { ...everywhere, minTotal: 105_000, maxTotal: 105_000 };
  const details = { postal_code: '110 001' };
  expect(await placeCash(database, customer, one(), { terms, details })).toMatchObject({
    outcome: 'reserved',
  });
});

test('cash on delivery is refused for a product that is sold paid online only, whatever its fact says', async () => {
  for (const [text, outcome] of [
    ['No', 'no_cash'],
    ['only after a call', 'no_cash'],
    ['Yes', 'reserved'],
  ] as const) {
    await database.query(
      `update public.products set attributes = jsonb_build_object('cash_on_delivery', $2::text) where id = $1`,
      ring,
      text,
    );
    expect([text, (await placeCash(database, customer, one())).outcome]).toEqual([text, outcome]);
  }
});

test('cash on delivery is refused for an account that has not confirmed its address', async () => {
  await database.query('update auth.users set email_confirmed_at = null where id = $1', customer);
  expect(await placeCash(database, customer, one())).toEqual({
    outcome: 'no_cash',
    reason: 'account',
  });
});

test('cash on delivery is refused for more open orders than an account, a phone or a network may have, and again when one is paid', async () => {
  const chain = await database.addProduct({ price: 1_000, stock: 50 });
  const lines = (quantity: number) => [{ product_id: chain, quantity }];
  const first = await reserve(database, customer, lines(1));
  await reserve(database, customer, lines(2));
  const ask = async (who: string, options = {}): Promise<string> => {
    const { outcome, reason = outcome } = await placeCash(database, who, lines(3), options);
    return reason;
  };
  const other = await database.addCustomer();
  expect([await ask(customer), await ask(other)]).toEqual(['open_orders', 'open_orders']);
  await send(database, first);
  await receive(database, first, 105_000);
  expect(await ask(customer)).toBe('reserved');
  const ofNetwork = async (phone: string): Promise<string> =>
    ask(await database.addCustomer(), { network: '64:a 48:b', details: { phone } });
  expect([
    await ofNetwork('9847000001'),
    await ofNetwork('9847000002'),
    await ofNetwork('9847000003'),
    await ofNetwork('9847000004'),
  ]).toEqual(['reserved', 'reserved', 'reserved', 'open_orders']);
});

test('cash on delivery is refused while the shop has more to confirm than it can', async () => {
  await database.run(
    `update public.cost_limits set most = 1 where effect = 'cash_order' and scope = 'all'`,
  );
  await reserve(database, customer, one());
  const details = { phone: '9847000009' };
  expect(await placeCash(database, await database.addCustomer(), one(), { details })).toEqual({
    outcome: 'no_cash',
    reason: 'open_orders',
  });
  await database.run(
    `update public.cost_limits set most = 60 where effect = 'cash_order' and scope = 'all'`,
  );
});
