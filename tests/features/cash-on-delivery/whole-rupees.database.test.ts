import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { CashTerms } from '#domain/sums/payment-way.ts';
import { sqlCashTerms } from '#core/checkout/place-order.ts';
import { rowsPaise } from '#domain/sums/sum-rows.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { customerDetails } from '#tests/database/support/shop-database.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import {
  cashCharges,
  cashSummary,
  endCashOrders,
  placeCash,
  receive,
  reserve,
  send,
  withAdvance,
} from './cash-orders.ts';

/* Nobody has coins for paise: what is paid at the door is whole rupees. */
const database = await useDatabase();

let customer = '';
let ring = '';
beforeEach(async () => {
  await endCashOrders(database);
  customer = await database.addCustomer();
  ring = await database.addProduct({ price: 1_000, stock: 5 });
});
const one = () => [{ product_id: ring, quantity: 1 }];
const due = (): number => cashSummary(one()).cash?.due ?? 0;

test('total, advance and what is due are whole rupees, in the cart and in the database, at every price, fee and charge', async () => {
  const advance = fc.option(
    fc.oneof(
      fc.record({ percent: fc.integer({ min: 1, max: 90 }) }),
      fc.record({ amount: fc.integer({ min: 100, max: 1_000_000 }) }),
    ),
    { nil: undefined },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 100_000 }),
      advance,
      async (paise, platformFee, charge, chosen) => {
        const terms: CashTerms = { ...sampleCash, platformFee, charge };
        if (chosen !== undefined) terms.advance = chosen;
        const { rows, total, cash } = cashSummary(one(), terms, paise / 100);
        const sql = JSON.stringify(sqlCashTerms(terms, null));
        const [sum, due] = [total - rowsPaise(rows, 'rounding'), cash?.due ?? 0];
        expect([total % 100, Math.abs(total - sum) <= 50]).toEqual([0, true]);
        // A rupee at least is left for the door, however small the order is.
        expect(total < 200 || due % 100 === 0).toBe(true);
        expect(
          await database.one(
            `select private.rows_paise(private.sum_rows($1, null, $4::jsonb))::int as total,
              ($3 - private.cash_advance($3, $2::jsonb))::int as due`,
            ...[Math.round(paise), sql, total, JSON.stringify(cashCharges(terms))],
          ),
        ).toEqual({ total, due });
      },
    ),
    {
      examples: [
        [94_950, false, 0, undefined],
        [94_949, false, 0, { percent: 33 }],
      ],
    },
  );
});

test('an order is placed at the rounded total, ordered again it is the same, and its advance still buys it', async () => {
  const product = await database.addProduct({ price: 1_647.49, stock: 5 });
  const lines = [{ product_id: product, quantity: 1 }];
  const { total, rows } = cashSummary(lines, withAdvance, 1_647.49);
  expect([total % 100, rowsPaise(rows, 'rounding') === 0]).toEqual([0, false]);
  const first = await placeCash(database, customer, lines, {
    terms: withAdvance,
    price: 1_647.49,
  });
  expect(first).toMatchObject({ outcome: 'placed', order: { total_paise: total } });
  expect(
    await placeCash(database, customer, lines, { terms: withAdvance, price: 1_647.49 }),
  ).toMatchObject({ outcome: 'reused', order: { id: first.order?.id } });
  expect(
    await database.value(
      `select private.rows_paise(sum_rows, 'rounding')::int from public.orders where id = $1`,
      first.order?.id,
    ),
  ).toBe(rowsPaise(rows, 'rounding'));
});

test('the site of before, which says nothing of rupees, places its orders to the paisa', async () => {
  const product = await database.addProduct({ price: 1_647.49, stock: 5 });
  const { whole_rupees: _, ...terms } = sqlCashTerms(sampleCash, 'rzp_live_x');
  const before = { ...terms, charge_paise: sampleCash.charge };
  const placed = await database.value<{ outcome: string; order: { cash_paise: number } }>(
    `select public.place_order($1, $2, $3::jsonb, $4::jsonb, $5, $6, 900, p_cash => $7::jsonb)`,
    ...[customer, crypto.randomUUID(), JSON.stringify([{ product_id: product, quantity: 1 }])],
    ...[JSON.stringify(customerDetails), 164_749 + sampleCash.charge, 0, JSON.stringify(before)],
  );
  expect(placed).toMatchObject({ outcome: 'reserved' });
});

test('a courier that rounds pays the order, and a rupee of difference does not', async () => {
  const ids = [];
  for (const difference of [-99, 99]) {
    const id = await reserve(database, await database.addCustomer(), one(), {
      details: { phone: `98470${String(20_000 + difference)}` },
    });
    await send(database, id);
    expect(await receive(database, id, due() + difference)).toEqual({ outcome: 'received' });
    ids.push(id);
  }
  expect(
    await database.column(
      'select amount_paise::int from public.payments where order_id = any($1)',
      ids,
    ),
  ).toEqual([due(), due()]);
});
