import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs, isoDay } from '../../../src/domain/calendar-day.ts';
import { cartOf } from '../../../src/domain/cart/cart.ts';
import { parseTerms, summarizeCart } from '../../../src/domain/cart/cart-summary.ts';
import { creditNoteDocument } from '../../../src/domain/invoice/credit-note.ts';
import type { CreditNoteDocument } from '../../../src/domain/invoice/issued-documents.ts';
import { addUp } from '../../../src/domain/invoice/invoice-document.ts';
import { invoiceDocument } from '../../../src/domain/invoice/invoice.ts';
import { orderFromRow } from '../../../src/domain/orders/order.ts';
import { eachRow } from '../../each-row.ts';
import { times } from '../../soak.ts';
import { sqlState } from '../support/database.ts';
import { useDatabase } from '../support/postgres.ts';
import { customerDetails, type Placing } from '../support/shop-database.ts';

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
beforeEach(async () => {
  await database.query(
    `update public.orders set discount_code = null where discount_code is not null`,
  );
  await database.query('delete from public.discount_codes where true');
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

  test('gets the new figures when the cart showed others, and nothing is held', async () => {
    await make();
    expect(await buy(customer, 102_360)).toMatchObject({
      outcome: 'price_changed',
      discount_paise: 10_000,
      subtotal_paise: 100_000,
      total_paise: reduced,
    });
    expect(await database.stockOf(ring)).toBe(50);
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
      await database.query(
        `update public.orders set discount_code = null where discount_code is not null`,
      );
      await database.query('delete from public.discount_codes where true');
      if (changes) await make(changes);
      expect(await buy(await database.addCustomer())).toMatchObject(
        refusal === null ? { outcome: 'placed' } : { outcome: 'discount', ...refusal },
      );
    },
  ));

describe('uses', () => {
  test('count while their order is open or paid, and come back when it ends unpaid', async () => {
    await make({ max_uses: 1 });
    const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }], {
      code: 'ONAM10',
      expected: reduced,
    });
    const other = await database.addCustomer();
    expect(await buy(other)).toMatchObject({ outcome: 'discount', reason: 'used_up' });
    await database.release(order.id);
    const second = await database.placeOpen(other, [{ product_id: ring, quantity: 1 }], {
      code: 'ONAM10',
      expected: reduced,
    });
    expect(await database.markPaid(second)).toBe('paid');
    expect(await buy()).toMatchObject({ outcome: 'discount', reason: 'used_up' });
    // Late: the use is another's by now, as the last unit may be.
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
    const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }], {
      code: 'ONAM10',
      expected: reduced,
    });
    // Another cart: the open order ends, and its use with it.
    expect((await buy(customer, 184_248, 2)).outcome).toBe('placed');
    const other = await database.addCustomer();
    expect((await buy(other, reduced, 1, '9847099999')).outcome).toBe('placed');
    expect(await database.markPaid(order)).toBe('refund_due');
    await database.query(
      `update public.orders set hold_state = 'released' where user_id = $1`,
      customer,
    );
    const again = await database.placeOpen(customer, [{ product_id: ring, quantity: 3 }], {
      code: 'ONAM10',
      expected: 276_372,
    });
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
    const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }], {
      code: 'ONAM10',
      expected: reduced,
    });
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
      [{ code: 'ON' }, '23514'],
      [{ code: 'onam10' }, '23514'],
      [{ percent: null }, '23514'],
      [{ amount_paise: 100 }, '23514'],
      [{ percent: null, amount_paise: 20_000, min_paise: 20_099 }, '23514'],
      [{ last_day: dayFromToday(-1) }, '23514'],
      [{}, 'none'],
    ] as const,
    async ([changes, state]) => {
      expect(await sqlState(make(changes))).toBe(state);
    },
  );
  expect(
    await database.value(
      `select public.create_discount($1::jsonb) ->> 'outcome'`,
      JSON.stringify(usual),
    ),
  ).toBe('taken');
});

test('half a paisa of a percentage is a paisa more off, and less is none', async () => {
  await make({ percent: 1 });
  await eachRow(
    [
      [149, 1],
      [150, 2],
    ] as const,
    async ([subtotal, discount]) => {
      const taken = `select private.discount_of(c, $1)::int from public.discount_codes c`;
      expect(await database.value(taken, subtotal)).toBe(discount);
    },
  );
});

const carts = fc.record({
  items: fc.array(
    fc.record({
      price: fc.integer({ min: 1, max: 900_000 }),
      quantity: fc.integer({ min: 1, max: 9 }),
      watch: fc.boolean(),
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
  pin: fc.constantFrom('682001', '110001'),
  parts: fc.array(
    fc.record({
      share: fc.integer({ min: 1, max: 100 }),
      units: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 6 }),
    }),
    { maxLength: 4 },
  ),
});

test('shares, invoice and credit notes add up to what was charged, for any cart, code and refunds, and the cart shows the same total', async () => {
  await fc.assert(
    fc.asyncProperty(carts, async ({ items, terms, pin, parts }) => {
      const cart = cartOf(
        items.map(({ price, quantity }, index) => ({
          id: `p${String(index)}`,
          name: 'Product',
          category: 'rings',
          images: [],
          price,
          offerPrice: null,
          stock: 9,
          quantity,
        })),
      );
      const shown = summarizeCart(cart, parseTerms({ ...terms, code: 'ONAM10' }));
      // The checkout refuses a total under ₹1. An order without an amount would show the sum of its items in its place.
      fc.pre(shown.discount > 0 && shown.total > 0);
      const lines = items.map(({ price, quantity, watch }, index) => ({
        product_id: `p${String(index)}`,
        name: 'Product',
        price: price / 100,
        quantity,
        category: watch ? 'watches' : 'rings',
      }));
      const asked = await database.one<{ off: string; items: { discount_paise: number }[] }>(
        `select off, private.spread_discount($1::jsonb, off) as items
         from (select private.discount_of(jsonb_populate_record(null::public.discount_codes, $2::jsonb), $3) as off) t`,
        ...[JSON.stringify(lines), JSON.stringify(terms), shown.subtotal],
      );
      expect(Number(asked.off)).toBe(shown.discount);
      const shares = asked.items.map((item) => item.discount_paise);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(shown.discount);
      items.forEach(({ price, quantity }, index) => {
        const exact = (shown.discount * price * quantity) / shown.subtotal;
        expect(Math.abs((shares[index] ?? 0) - exact)).toBeLessThan(1);
        expect(shares[index]).toBeLessThanOrEqual(price * quantity);
      });

      const document = invoiceDocument(
        orderFromRow({
          id: 1,
          items: asked.items,
          customer_postal_code: pin,
          subtotal_paise: shown.subtotal,
          discount_code: 'ONAM10',
          discount_paise: shown.discount,
          fee_paise: shown.fee,
          amount: shown.total / 100,
          status: 'COMPLETED',
          payment_status: 'COMPLETED',
        }),
      );
      const sum = addUp(document.lines);
      expect(document.lines.filter(({ kind }) => kind === 'adjustment')).toEqual([]);
      expect([sum.grossPaise, document.totalPaise]).toEqual([shown.total, shown.total]);
      expect(sum.taxablePaise + sum.cgstPaise + sum.sgstPaise + sum.igstPaise).toBe(shown.total);

      const notes: CreditNoteDocument[] = [];
      let left = shown.total;
      const credit = (amountPaise: number, back: Record<string, number>) => {
        const note = creditNoteDocument(
          { number: '1', issuedAt: '2026-11-21T08:00:00Z', document },
          notes,
          { amountPaise, reason: null, items: back },
        );
        expect(note.totalPaise).toBe(amountPaise);
        notes.push(note);
        left -= amountPaise;
      };
      for (const { share, units } of parts) {
        const amount = Math.floor((left * share) / 100);
        if (amount > 0)
          credit(
            amount,
            Object.fromEntries(
              units.flatMap((count, index) => (count === 0 ? [] : [[`p${String(index)}`, count]])),
            ),
          );
      }
      if (left > 0) credit(left, {});
      const back = addUp(notes.flatMap((note) => note.lines));
      expect(back).toEqual(sum);
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

  test('stays with an open order after it was stopped', async () => {
    await make({ max_per_shopper: 1 });
    expect((await buy()).outcome).toBe('placed');
    await database.query(`select public.stop_discount('ONAM10', true)`);
    expect((await buy()).outcome).toBe('reused');
  });
});
