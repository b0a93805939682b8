import { expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';

/* The terms that an order was placed at decide about its money, whatever the settings of today say. */
const database = await useDatabase();
await database.allowRefunds();
const ring = await database.addProduct({ price: 1_000, stock: 100 });
const one = [{ product_id: ring, quantity: 1 }];

async function paidWith(terms: object | null) {
  const customer = await database.addCustomer();
  const order = await database.placeOpen(customer, one);
  await database.query(
    'update public.orders set terms = $2::jsonb where id = $1',
    order.id,
    terms === null ? null : JSON.stringify(terms),
  );
  await database.markPaid(order);
  return { customer, id: order.id };
}

test.each([
  [{ returns_platform_fee: true }, true, false],
  [{ returns_platform_fee: false }, false, true],
  [null, true, true],
  [null, false, false],
  [{}, true, true],
])(
  'terms %j, and a site that asks to keep the fee: %s, keep it: %s',
  async (terms, keepFee, kept) => {
    const { customer, id } = await paidWith(terms);
    expect(await database.cancelOwn(customer, id, true, { keepFee })).toEqual({
      outcome: 'cancelled',
    });
    expect(await database.value('select kept_paise > 0 from public.orders where id = $1', id)).toBe(
      kept,
    );
  },
);

test('a free replacement has the terms of the order that it replaces', async () => {
  const terms = { damage_hours: 7 };
  const { id } = await paidWith(terms);
  await database.setFulfilment(id, 'delivered', { document: '{}' });
  await database.query(`select public.report_claim($1, 'Broken', '{}', 48)`, id);
  const claim = await database.value('select max(id) from public.claims where order_id = $1', id);
  await database.query(
    `select public.answer_claim($1, $2, gen_random_uuid(), 'replacement', '', null, $3::jsonb)`,
    ...[id, claim, JSON.stringify({ [ring]: 1 })],
  );
  expect(await database.value('select terms from public.orders where replaces = $1', id)).toEqual(
    terms,
  );
});
