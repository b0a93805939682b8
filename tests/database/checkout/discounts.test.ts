import { rowsPaise } from '#domain/sums/sum-rows.ts';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs, isoDay } from '#domain/calendar-day.ts';
import { cartOf } from '#domain/cart/cart.ts';
import { summarizeCart } from '#domain/cart/cart-summary.ts';
import { parseTerms } from '#domain/cart/discount-terms.ts';
import { eachRow } from '#tests/each-row.ts';
import { times } from '#tests/soak.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import {
  customerDetails,
  type OpenOrder,
  type Placing,
} from '#tests/database/support/shop-database.ts';

const database = await useDatabase();
const today = await database.value<string>(
  'select private.india_date(clock_timestamp())::text as today',
);
const dayFromToday = (days: number): string => isoDay(Date.parse(today) + days * dayMs);

const usual = {
  code: 'ONAM10',
  percent: 10,
  amount_paise: null,
  min_paise: 0,
  first_day: today,
  last_day: today,
  max_uses: null,
  max_per_shopper: null,
};
const make = (changes: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
  database.query(
    'select public.create_discount($1::jsonb)',
    JSON.stringify({ ...usual, ...changes }),
  );

let [customer, ring] = ['', ''];
const forgetCodes = (): Promise<unknown> =>
  database.run(
    'update public.orders set discount_code = null where true; delete from public.discount_codes where true',
  );
beforeEach(async () => {
  await forgetCodes();
  [customer, ring] = [await database.addCustomer(), await database.addProduct({ stock: 50 })];
});
/** ₹1,000.00 less 10 %, and the fee on what is left. */
const reduced = 92_124;
const buy = (
  user = customer,
  expected = reduced,
  quantity = 1,
  phone: string = customerDetails.phone,
): Promise<Placing> =>
  database.place(user, [{ product_id: ring, quantity }], {
    code: 'ONAM10',
    expected,
    details: { phone },
  });

const open = (user = customer, expected = reduced, quantity = 1): Promise<OpenOrder> =>
  database.placeOpen(user, [{ product_id: ring, quantity }], { code: 'ONAM10', expected });

describe('an order with a code', () => {
  test('costs less, keeps code and discount, and has its fee on what is left', async () => {
    await make();
    const { outcome, order } = await buy();
    expect(outcome).toBe('placed');
    expect(await database.orderRow(order?.id ?? 0)).toMatchObject({
      discount_code: 'ONAM10',
      discount_paise: 10_000,
      subtotal_paise: 100_000,
      fee_paise: 2_124,
      total_paise: reduced,
      items: [{ quantity: 1, price: 1000, discount_paise: 10_000 }],
    });
  });

  test('is reused by a second try with the same code, also after the code was stopped, and not by one without it', async () => {
    await make();
    const first = await buy();
    await database.query(`select public.stop_discount('ONAM10', true)`);
    expect(await buy()).toMatchObject({ outcome: 'reused', order: { id: first.order?.id } });
    expect(await database.place(customer, [{ product_id: ring, quantity: 1 }])).toMatchObject({
      outcome: 'placed',
    });
    expect(await buy()).toMatchObject({ outcome: 'discount', reason: 'over' });
  });

  test('does not come back by the key of a try without the code', async () => {
    await make({ percent: 1 });
    const key = crypto.randomUUID();
    const lines = [{ product_id: ring, quantity: 1 }];
    await database.place(customer, lines, { key });
    expect(
      (await database.place(customer, lines, { key, code: 'ONAM10', expected: 102_360 })).outcome,
    ).toBe('expired');
  });
});

test('a code is refused with its reason, and so is one that nobody made', () =>
  eachRow(
    [
      [null, { reason: 'unknown' }],
      [{ first_day: dayFromToday(-3), last_day: dayFromToday(-1) }, { reason: 'over' }],
      [
        { first_day: dayFromToday(1), last_day: dayFromToday(1) },
        { reason: 'not_yet', first_day: dayFromToday(1) },
      ],
      [{ min_paise: 100_001 }, { reason: 'cart_too_small', min_paise: 100_001 }],
      [{ min_paise: 100_000 }, null],
      [{ first_day: dayFromToday(-1), last_day: dayFromToday(1) }, null],
    ] as const,
    async ([changes, refusal]) => {
      await forgetCodes();
      if (changes) await make(changes);
      expect(await buy(await database.addCustomer())).toMatchObject(
        refusal === null ? { outcome: 'placed' } : { outcome: 'discount', ...refusal },
      );
    },
  ));

describe('uses', () => {
  test('count while their order is open or paid, and come back when it ends unpaid', async () => {
    await make({ max_uses: 1 });
    const order = await open();
    const other = await database.addCustomer();
    expect(await buy(other)).toMatchObject({ outcome: 'discount', reason: 'used_up' });
    await database.release(order.id);
    const second = await open(other);
    expect(await database.markPaid(second)).toBe('paid');
    expect(await buy()).toMatchObject({ outcome: 'discount', reason: 'used_up' });
    // The payment is late: another customer has the use by now, as they may have the last unit.
    expect(await database.markPaid(order)).toBe('refund_due');
    expect(await database.orderRow(order.id)).toMatchObject({
      status: 'FAILED',
      payment_status: 'REFUND_DUE',
      hold_state: 'released',
    });
    const [listed] = await database.value<unknown[]>('select public.list_discounts()');
    expect(listed).toMatchObject({
      code: 'ONAM10',
      paid: 1,
      open: 0,
      given_paise: 10_000,
      stopped: false,
    });
  });

  test('uses of one customer are counted apart, and one that ended is theirs again by a late payment', async () => {
    await make({ max_per_shopper: 1 });
    const order = await open();
    // Another cart ends the open order, and its use with it.
    expect((await buy(customer, 184_248, 2)).outcome).toBe('placed');
    const other = await database.addCustomer();
    expect((await buy(other, reduced, 1, '9847099999')).outcome).toBe('placed');
    expect(await database.markPaid(order)).toBe('refund_due');
    await database.query(
      `update public.orders set hold_state = 'released' where user_id = $1`,
      customer,
    );
    const again = await open(customer, 276_372, 3);
    await database.release(again.id);
    expect(await database.markPaid(again)).toBe('paid');
    expect(
      await database.value(
        `select public.check_discount('ONAM10', $1) #>> '{refusal,reason}' as reason`,
        customer,
      ),
    ).toBe('used_by_shopper');
  });

  test('uses of one phone number are those of one customer, whichever account and way of writing it', async () => {
    await make({ max_per_shopper: 1 });
    await buy();
    const other = await database.addCustomer();
    expect(await buy(other, reduced, 1, '098470-12345')).toMatchObject({
      outcome: 'discount',
      reason: 'used_by_shopper',
    });
    expect((await buy(other, reduced, 1, '9847012346')).outcome).toBe('placed');
  });

  test('come back with an order that the shop cancels after it was paid', async () => {
    await make({ max_uses: 1, max_per_shopper: 1 });
    const order = await open();
    await database.markPaid(order);
    expect(await buy()).toMatchObject({ reason: 'used_up' });
    await database.query(
      `select public.cancel_order($1, gen_random_uuid(), 'Broken', true)`,
      order.id,
    );
    expect((await buy()).outcome).toBe('placed');
    const [listed] = await database.value<unknown[]>('select public.list_discounts()');
    expect(listed).toMatchObject({ paid: 0, open: 1, given_paise: 0 });
  });
});

test('a code that could not be is not made, and one that is there is not made again', async () => {
  await eachRow(
    [
      ...[{ code: 'ON' }, { code: 'onam10' }, { percent: null }, { amount_paise: 100 }],
      { percent: null, amount_paise: 20_000, min_paise: 20_099 },
      { last_day: dayFromToday(-1) },
    ],
    async (changes) => {
      expect(await sqlState(make(changes))).toBe('23514');
    },
  );
  const create = `select public.create_discount($1::jsonb) ->> 'outcome'`;
  expect(await database.value(create, JSON.stringify(usual))).toBe('created');
  expect(await database.value(create, JSON.stringify(usual))).toBe('taken');
});

test('half a paisa of a percentage is a paisa more off, and less is none', async () => {
  await make({ percent: 1 });
  const taken = (subtotal: number): Promise<number> =>
    database.value('select private.discount_of(c, $1)::int from public.discount_codes c', subtotal);
  expect([await taken(149), await taken(150)]).toEqual([1, 2]);
});

const carts = fc.record({
  items: fc.array(
    fc.record({
      price: fc.integer({ min: 1, max: 900_000 }),
      quantity: fc.integer({ min: 1, max: 9 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  terms: fc.oneof(
    fc
      .integer({ min: 1, max: 90 })
      .map((percent) => ({ percent, amount_paise: null, min_paise: 0 })),
    fc
      .integer({ min: 100, max: 500_000 })
      .map((amount) => ({ percent: null, amount_paise: amount, min_paise: amount + 100 })),
  ),
});

test('the discount is the one that the cart shows, and its shares of the lines add up to it, for any cart and code', async () => {
  await fc.assert(
    fc.asyncProperty(carts, async ({ items, terms }) => {
      const lines = items.map((item, index) => ({ ...item, product_id: `p${String(index)}` }));
      const cart = cartOf(
        lines.map(({ product_id: id, price, quantity }) => ({
          id,
          name: 'Product',
          category: 'rings',
          images: [],
          offerPrice: null,
          stock: 9,
          price,
          quantity,
        })),
      );
      const shown = summarizeCart(cart, parseTerms({ ...terms, code: 'ONAM10' }));
      const [subtotal, discount] = [
        rowsPaise(shown.rows, 'goods'),
        -rowsPaise(shown.rows, 'discount'),
      ];
      fc.pre(discount > 0);
      const charged = await database.one<{ off: string; items: { discount_paise: number }[] }>(
        `select off, private.spread_discount($1::jsonb, off) as items
         from (select private.discount_of(jsonb_populate_record(null::public.discount_codes, $2::jsonb), $3) as off) t`,
        JSON.stringify(lines.map((line) => ({ ...line, price: line.price / 100 }))),
        JSON.stringify(terms),
        subtotal,
      );
      expect(Number(charged.off)).toBe(discount);
      const shares = charged.items.map((item) => item.discount_paise);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(discount);
      items.forEach(({ price, quantity }, index) => {
        const exact = (discount * price * quantity) / subtotal;
        expect(Math.abs((shares[index] ?? 0) - exact)).toBeLessThan(1);
        expect(shares[index]).toBeLessThanOrEqual(price * quantity);
      });
    }),
    { numRuns: times(150, 3_000) },
  );
});

describe('a code that each customer can use once', () => {
  test('needs a phone that can be called, so that "call the house" is not another customer each time', async () => {
    await make({ max_per_shopper: 1 });
    await eachRow(['call the house', '1 98470 12345', '9847012345 ext 77'], async (phone) => {
      expect(await buy(await database.addCustomer(), reduced, 1, phone)).toMatchObject({
        outcome: 'discount',
        reason: 'needs_phone',
      });
    });
    expect((await buy()).outcome).toBe('placed');
    await make({ code: 'OPEN10' });
    const open = await database.place(
      await database.addCustomer(),
      [{ product_id: ring, quantity: 1 }],
      { code: 'OPEN10', expected: reduced, details: { phone: 'call the house' } },
    );
    expect(open.outcome).toBe('placed');
  });

  test('is asked about again when the same cart is paid with another phone', async () => {
    await make({ max_per_shopper: 1 });
    const used = '98470 22222';
    expect((await buy(await database.addCustomer(), reduced, 1, used)).outcome).toBe('placed');
    expect((await buy(customer, reduced, 1, '98470 33333')).outcome).toBe('placed');
    expect(await buy(customer, reduced, 1, used)).toMatchObject({
      outcome: 'discount',
      reason: 'used_by_shopper',
    });
    expect((await buy(customer, reduced, 1, '98470 33333')).outcome).toBe('reused');
  });
});
