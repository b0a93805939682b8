import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderFromRow } from '#domain/orders/order.ts';
import {
  mergeOrders,
  ownOrderColumns,
  ownOrderFromRow,
  type OwnOrder,
} from '#domain/orders/own-order.ts';
import { orderStatus } from '#domain/orders/order-status.ts';
import { feeLabel } from '#domain/tax-standing.ts';
import { row } from './order-row.ts';
import { eachRow } from '#tests/each-row.ts';
import { times } from '#tests/soak.ts';

describe('a row of orders', () => {
  test('becomes an order with amounts in paise', () => {
    expect(orderFromRow(row())).toEqual({
      ...orderFromRow({ id: '1001', fulfilment: 'new' }),
      createdAt: '2026-02-01T10:00:00+00:00',
      customerName: 'Asha Menon',
      customerEmail: 'asha@example.com',
      customerPhone: '9876543210',
      items: [
        {
          productId: 'p1',
          name: 'Palakka Ring',
          quantity: 2,
          price: 50_000,
          lineTotal: 100_000,
          discount: 0,
          estimated: false,
          image: null,
          category: null,
          hsn: null,
        },
      ],
      // What the lines of an imported order lack is one row.
      rows: [
        { kind: 'goods', paise: 100_000, label: null, tax: 'lines', refund: 'lines' },
        { kind: 'other', paise: 2_360, label: null, tax: 'goods', refund: 'last' },
      ],
      amount: 102_360,
      status: { label: 'COMPLETED', tone: 'green' },
      rawStatus: 'PENDING',
      rawPaymentStatus: 'COMPLETED',
      razorpayOrderId: 'order_1',
      paymentId: 'pay_1',
    });
  });

  test('finds its items as list or JSON text, in items or products, with numbers as text or not', () => {
    const items = [{ name: 'Ring', quantity: '2', price: '500.00' }];
    return eachRow(
      [
        { items },
        { items: JSON.stringify(items) },
        { items: undefined, products: items },
        { items: [], products: items },
        { items: null, products: JSON.stringify(items) },
      ],
      (columns) => {
        expect(orderFromRow(row({ ...columns, amount: '1023.60' }))).toMatchObject({
          amount: 102_360,
          items: [{ name: 'Ring', quantity: 2, price: 50_000, lineTotal: 100_000 }],
        });
      },
    );
  });

  test('has no items when they are missing or broken', () =>
    eachRow([undefined, null, [], '[]', 'not JSON', '{}', 5, {}], (items) => {
      expect(orderFromRow(row({ items })).items).toEqual([]);
    }));
});

describe('the amount of an order', () => {
  test('is the first positive one, else the sum of the items', () =>
    eachRow<[Record<string, unknown>, number]>(
      [
        [{ amount: 10, total_amount: 20, payment_amount: 30 }, 1_000],
        [{ amount: 0, total_amount: 20, payment_amount: 30 }, 2_000],
        [{ amount: null, total_amount: '20.50', payment_amount: 30 }, 2_050],
        [{ amount: -5, total_amount: 0, payment_amount: 30 }, 3_000],
        [{ amount: 'n/a', total_amount: null, payment_amount: '30' }, 3_000],
        [{ amount: null, total_amount: null, payment_amount: null }, 100_000],
        [{ amount: undefined }, 100_000],
        [{ amount: 0, total_amount: 0, payment_amount: 0, items: [] }, 0],
      ],
      ([amounts, paise]) => {
        expect(orderFromRow(row(amounts)).amount).toBe(paise);
      },
    ));
});

describe('the status of an order', () => {
  test('is shown as completed, pending or failed, or else in its own words', () =>
    eachRow(
      [
        [['success', 'captured', 'completed', ' Captured '], 'COMPLETED', 'green'],
        [['pending', 'created', 'PENDING', '', '  ', null, undefined], 'PENDING', 'yellow'],
        [['failed', 'failure', 'FAILED'], 'FAILED', 'red'],
        [['REFUNDED'], 'REFUNDED', 'grey'],
        [['constructor'], 'constructor', 'grey'],
      ] as const,
      ([words, label, tone]) => {
        for (const raw of words) expect(orderStatus(raw)).toEqual({ label, tone });
      },
    ));

  test('is that of the payment when it has one', () =>
    eachRow<[Record<string, unknown>, string]>(
      [
        [{ payment_status: 'captured', status: 'PENDING' }, 'COMPLETED'],
        [{ payment_status: null, status: 'failure' }, 'FAILED'],
        [{ payment_status: ' ', status: 'success' }, 'COMPLETED'],
        [{ payment_status: undefined, status: undefined }, 'PENDING'],
        [{ payment_status: 5, status: 'Packed' }, 'Packed'],
      ],
      ([changes, label]) => {
        expect(orderFromRow(row(changes)).status.label).toBe(label);
      },
    ));
});

describe('weird rows', () => {
  test('without an id are refused', () =>
    eachRow([null, undefined, 'order', 5, [], {}, { id: null }, { id: {} }], (value) => {
      expect(() => orderFromRow(value)).toThrow();
    }));

  test('an id alone is enough: the order is unpaid, worth nothing, and in no known state', () => {
    expect(orderFromRow({ id: 'a1' })).toMatchObject({
      id: 'a1',
      createdAt: '',
      customerName: '',
      items: [],
      amount: 0,
      refund: 'none',
      restocked: {},
      rows: [{ kind: 'goods', paise: 0, label: null, tax: 'lines', refund: 'lines' }],
      answers: { isSale: false, customerMay: 'nothing' },
      paidAt: null,
      paymentId: null,
      payLink: null,
      handedOver: false,
      isTest: false,
      deliveryNotice: null,
      status: { label: 'PENDING', tone: 'yellow' },
      delivery: { fulfilment: 'unknown', trackingUrl: null, invoiceNumber: null },
    });
  });

  test('with a value of another type in a column that only this shop writes are refused', () =>
    eachRow(
      [
        { state: 1 },
        { kind: false },
        { hand_over: 1 },
        { total_amount: 100, subtotal_paise: '10000' },
        { discount_paise: 0.5 },
        { paid_at: 5 },
        { customer_name: {} },
        { link_version: '1' },
        { restocked: { a: 'one' } },
        { asked_about: ['city'] },
      ],
      (changes) => {
        expect(() => orderFromRow(row(changes))).toThrow();
      },
    ));

  test('with an id, anything in the columns of an import gives an order whose figures are finite', () => {
    const columns = fc.constantFrom(
      ...['items', 'products', 'amount', 'total_amount', 'payment_amount'],
      ...['status', 'payment_status'],
    );
    const oddItem = fc.dictionary(
      fc.constantFrom('name', 'quantity', 'price', 'product', 'product_id', 'raw'),
      fc.anything({ maxDepth: 1 }),
    );
    const anyValue = fc.oneof(
      fc.anything({ maxDepth: 1 }),
      fc.array(oddItem, { maxLength: 4 }),
      fc.json({ maxDepth: 2 }),
      fc.double(),
    );
    fc.assert(
      fc.property(fc.dictionary(columns, anyValue), (values) => {
        const order = orderFromRow({ ...values, id: 1 });
        for (const figure of [
          order.amount,
          ...order.items.flatMap((item) => [item.quantity, item.price, item.lineTotal]),
        ]) {
          expect(Number.isFinite(figure)).toBe(true);
        }
        expect(order.items.every((item) => item.quantity >= 1 && item.name.trim() !== '')).toBe(
          true,
        );
      }),
      { numRuns: times(300, 1_500) },
    );
  });
});

test('a customer’s own order reads the same from its columns as from a whole row', () => {
  const whole = row({
    subtotal_paise: 100_000,
    discount_code: 'ONAM',
    discount_paise: 10_000,
    fee_paise: 2_124,
    amount: 921.24,
    paid_at: '2026-02-01T10:01:00Z',
    fulfilment: 'shipped',
    carrier: 'India Post',
    hand_over: false,
  });
  const selected = Object.fromEntries(
    ownOrderColumns
      .split(',')
      .map((column) => [column, (whole as Record<string, unknown>)[column]]),
  );
  const { hasAccount, holdExpiresAt, ...shared } = ownOrderFromRow(selected);
  expect(orderFromRow(whole)).toMatchObject(shared);
  expect([hasAccount, holdExpiresAt]).toEqual([false, null]);
  expect(ownOrderFromRow(selected)).toMatchObject({ amount: 92_124 });
});

const amounts = (changes: Readonly<Record<string, unknown>>): string[] =>
  orderFromRow(row(changes)).rows.map(
    ({ kind, paise, label }) => `${kind} ${String(paise)} ${String(label)}`,
  );

test('the rows of an order are read as they are stored, with the words of today where it was stored without', () => {
  const sum_rows = [
    { kind: 'goods', paise: 100_000 },
    { kind: 'discount', paise: -10_000, label: 'ONAM' },
    { kind: 'fee', paise: 2_124, bps: 236, tax: 'fee', refund: 'share' },
    { kind: 'gift_wrap', paise: 4_900, label: 'Gift wrapping', tax: 'goods', refund: 'last' },
    { kind: 'later', paise: 100, tax: 'of a later release', refund: 'of a later release' },
  ];
  expect(amounts({ sum_rows })).toEqual([
    'goods 100000 null',
    'discount -10000 ONAM',
    `fee 2124 ${feeLabel()}`,
    'gift_wrap 4900 Gift wrapping',
    'later 100 null',
  ]);
  expect(orderFromRow(row({ sum_rows, amount: 1 })).amount).toBe(97_124);
});

test('a free replacement costs nothing, though its products have prices', () => {
  const free = [
    { kind: 'goods', paise: 100_000 },
    { kind: 'discount', paise: -100_000 },
  ];
  expect(orderFromRow(row({ sum_rows: free, amount: 0 })).amount).toBe(0);
  // The rows of a database of release 1.3.2 are its columns.
  const columns = { subtotal_paise: 100_000, discount_paise: 100_000, fee_paise: 0, amount: 0 };
  expect(orderFromRow(row(columns)).amount).toBe(0);
  expect(amounts(columns)).toEqual(['goods 100000 null', 'discount -100000 null']);
});

describe('merging lists of orders', () => {
  const order = (id: string, createdAt: string): OwnOrder => ({
    ...ownOrderFromRow({ id }),
    createdAt,
  });

  test('gives each order once, newest first', () => {
    const a = order('a', '2026-01-01T00:00:00+00:00');
    const b = order('b', '2026-01-03T00:00:00+05:30');
    const c = order('c', '2026-01-02T20:00:00Z');
    expect(mergeOrders([a, b], [b, c], []).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });

  test('puts orders without a readable date last and keeps the rest in order', () => {
    const dated = [1, 2, 3, 4, 5].map((day) =>
      order(String(day), `2026-01-0${String(day)}T00:00:00Z`),
    );
    const undated = [order('x', ''), order('y', 'yesterday')];
    fc.assert(
      fc.property(fc.shuffledSubarray([...dated, ...undated], { minLength: 7 }), (mixed) => {
        const ids = mergeOrders(mixed).map(({ id }) => id);
        expect(ids.slice(0, 5)).toEqual(['5', '4', '3', '2', '1']);
        expect(ids.slice(5).toSorted()).toEqual(['x', 'y']);
      }),
    );
  });
});
