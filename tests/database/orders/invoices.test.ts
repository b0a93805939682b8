import { beforeEach, describe, expect, test } from 'vitest';
import type { PaidOrder } from '#tests/database/support/shop-database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId } from '#tests/database/support/shop-database.ts';
import { eachRow } from '#tests/each-row.ts';
import { shop } from '#settings/shop.ts';

const database = await useDatabase();

let ring = '';
let order: PaidOrder;
beforeEach(async () => {
  ring = await database.addProduct({ stock: 10 });
  order = await database.buy([{ product_id: ring, quantity: 1 }]);
});

describe('the financial year', () => {
  test('begins on 1 April in India', () =>
    eachRow(
      [
        ['2027-03-31T18:29:59Z', '2026-27'],
        ['2027-03-31T18:30:00Z', '2027-28'],
        ['2026-04-01T00:00:00+05:30', '2026-27'],
        ['2026-12-31T23:59:59+05:30', '2026-27'],
        ['2099-12-31T12:00:00Z', '2099-00'],
      ],
      async ([at, year]) => {
        expect(await database.value('select private.financial_year($1)', at)).toEqual(year);
      },
    ));

  test('is part of the invoice number, which has 16 characters at most', async () => {
    const numberOf = (serial: number): Promise<string> =>
      database.value(`select private.document_number('ABC', '2026-27', $1)`, serial);
    expect(await numberOf(1)).toBe('ABC/2026-27/0001');
    expect(await numberOf(9_999)).toBe('ABC/2026-27/9999');
    expect(await numberOf(10_000)).toBe('ABC/26-27/10000');
    expect(await numberOf(999_999)).toBe('ABC/26-27/999999');
  });
});

describe('an invoice', () => {
  test('is given once, and never to an order of which nothing was sold', async () => {
    const first = await database.assignInvoice(order.id);
    expect(first.outcome).toBe('assigned');
    expect(await database.assignInvoice(order.id)).toEqual({ ...first, outcome: 'already' });
    const open = await database.openOrder(ring);
    expect(await database.assignInvoice(open.id)).toEqual({ outcome: 'not_paid' });
    const cancelled = await database.buy([{ product_id: ring, quantity: 1 }]);
    await database.cancel(cancelled.id);
    expect(await database.assignInvoice(cancelled.id)).toEqual({ outcome: 'not_paid' });
    expect(await database.assignInvoice(999_999)).toEqual({ outcome: 'not_found' });
  });

  test('keeps its number when its order is cancelled afterwards', async () => {
    const { invoice } = await database.assignInvoice(order.id);
    await database.cancel(order.id);
    expect(await database.assignInvoice(order.id)).toEqual({ outcome: 'already', invoice });
  });

  test('is written when the order is sent, and a step that fails leaves no gap', async () => {
    const last = (): Promise<number> =>
      database.value(
        'select coalesce(max(last_serial), 0)::int as n from public.document_counters',
      );
    const before = await last();
    expect(await database.setFulfilment(order.id, 'shipped', { document: null })).toEqual({
      outcome: 'needs_document',
    });
    await database.run('begin');
    await database.setFulfilment(order.id, 'shipped');
    await database.run('rollback');
    expect(await last()).toBe(before);
    expect(await database.setFulfilment(order.id, 'shipped')).toEqual({ outcome: 'changed' });
    expect(await last()).toBe(before + 1);
    expect((await database.orderRow(order.id))['invoice_number']).toMatch(
      new RegExp(`^${shop.prefixes.invoice}/`, 'u'),
    );
  });
});

describe('a credit note', () => {
  interface Due {
    refundId: number;
    amountPaise: number;
    items: object;
    invoice: { creditNotes: unknown[] };
  }
  const due = (id: number): Promise<Due[]> =>
    database
      .query('select row from public.credit_notes_due(10, $1) row', id)
      .then((rows) => rows.map(({ row }) => row as Due));
  const issue = (refund: number, earlier: number): Promise<unknown> =>
    database.value(`select public.issue_credit_note($1, '{}', $2) as answer`, refund, earlier);
  const refunded = async (amount: number, items: Record<string, number> = {}): Promise<number> => {
    await database.requestRefund(order.id, amount, { items });
    const id = (await database.refundsOf(order.payment)).at(-1)?.id ?? 0;
    await database.finishRefund(id, `rfnd_cn_${String(id)}`);
    return id;
  };

  test('is due for each refund that is done, once there is an invoice, one after the other', async () => {
    const first = await refunded(10_000, { [ring]: 1 });
    expect(await due(order.id)).toEqual([]);
    expect(await issue(first, 0)).toEqual({ outcome: 'not_due' });
    await database.assignInvoice(order.id);
    await database.requestRefund(order.id, 5_000);
    expect(await due(order.id)).toMatchObject([
      { refundId: first, amountPaise: 10_000, items: { [ring]: 1 }, invoice: { creditNotes: [] } },
    ]);
    const { number } = (await issue(first, 0)) as { number: string };
    expect(number).toMatch(new RegExp(`^${shop.prefixes.creditNote}/\\d{4}-\\d{2}/\\d{4}$`, 'u'));
    expect(await issue(first, 1)).toEqual({ outcome: 'already' });
    expect(await due(order.id)).toEqual([]);

    const second = (await database.refundsOf(order.payment)).at(-1)?.id ?? 0;
    await database.finishRefund(second, 'rfnd_cn_second');
    expect(await due(order.id)).toMatchObject([
      { refundId: second, invoice: { creditNotes: [{ number }] } },
    ]);
    expect(await issue(second, 0)).toEqual({ outcome: 'changed' });
    expect(await issue(second, 1)).toMatchObject({ outcome: 'issued' });
  });

  test('has numbers of its own, without gaps', async () => {
    await database.assignInvoice(order.id);
    const refund = await refunded(10_000);
    await database.run('begin');
    await issue(refund, 0);
    await database.run('rollback');
    await issue(refund, 0);
    const serials = await database.column('select serial from public.credit_notes order by 1');
    expect(serials).toEqual(serials.map((_, index) => index + 1));
  });

  test('is never for a second payment, which no invoice counts', async () => {
    await database.assignInvoice(order.id);
    const extra = newPaymentId();
    await database.markPaid(order, extra);
    const [refund] = await database.refundsOf(extra);
    await database.finishRefund(refund?.id ?? 0, 'rfnd_cn_extra');
    expect(await due(order.id)).toEqual([]);
    expect(await issue(refund?.id ?? 0, 0)).toEqual({ outcome: 'not_due' });
  });
});

describe('the way of an order', () => {
  test.each([
    ['new', 'packed', 'changed'],
    ['new', 'shipped', 'changed'],
    ['new', 'delivered', 'changed'],
    ['packed', 'new', 'changed'],
    ['packed', 'packed', 'same'],
    ['shipped', 'packed', 'changed'],
    ['shipped', 'new', 'too_far_back'],
    ['delivered', 'shipped', 'changed'],
    ['delivered', 'packed', 'changed'],
    ['delivered', 'new', 'too_far_back'],
    // A delivered order goes back to packed when it was handed over, not when its parcel was sent.
    ['shipped and delivered', 'packed', 'too_far_back'],
  ])('from %s to %s: %s', async (from, to, outcome) => {
    const steps = from === 'new' ? [] : from.split(' and ');
    for (const step of steps) await database.setFulfilment(order.id, step);
    expect(await database.setFulfilment(order.id, to)).toEqual({ outcome });
    const row = await database.orderRow(order.id);
    expect(row['fulfilment']).toBe(outcome === 'changed' ? to : (steps.at(-1) ?? 'new'));
    const at = String(row['fulfilment']);
    expect(row['packed_at'] === null).toBe(at === 'new');
    if (at === 'new' || at === 'packed')
      expect(row).toMatchObject({ shipped_at: null, delivered_at: null, carrier: null });
    if (at === 'shipped')
      expect(row).toMatchObject({
        carrier: 'India Post',
        tracking_number: 'EM1',
        delivered_at: null,
      });
  });

  test('mails the customer once per carrier and tracking number, however it is written and how often it goes back', async () => {
    const mails = (): Promise<(string | null)[]> =>
      database.column(
        `select payload ->> 'tracking_number' from public.outbox where order_id = $1 and kind = 'shipped_notice' order by id`,
        order.id,
      );
    for (const number of ['EM1', 'em1', 'EM2', 'EM1', '']) {
      await database.setFulfilment(order.id, 'shipped', { number });
      await database.setFulfilment(order.id, 'packed');
    }
    expect(await mails()).toEqual(['EM1', 'EM2', null]);
    await database.setFulfilment(order.id, 'shipped', { number: 'EM1', carrier: 'INDIA POST' });
    await database.setFulfilment(order.id, 'shipped', { number: 'EM1', carrier: 'DTDC' });
    expect(await mails()).toEqual(['EM1', 'EM2', null, 'EM1']);
  });

  test('goes on when money went back after it was sent, and not when all went back before', async () => {
    await database.setFulfilment(order.id, 'shipped');
    await database.requestRefund(order.id, order.total_paise);
    expect(await database.setFulfilment(order.id, 'delivered')).toEqual({ outcome: 'changed' });
    const other = await database.buy([{ product_id: ring, quantity: 1 }]);
    await database.requestRefund(other.id, other.total_paise);
    expect(await database.setFulfilment(other.id, 'shipped')).toEqual({ outcome: 'refunded' });
  });
});

test('an order remembers category and code of its products, for the tax of a product that is deleted', async () => {
  await database.query(
    `update public.products set category = 'watches', attributes = '{"hsn": "9102"}' where id = $1`,
    ring,
  );
  const chain = await database.addProduct();
  const { id } = await database.buy([
    { product_id: chain, quantity: 1 },
    { product_id: ring, quantity: 1 },
  ]);
  const items = await database.value<object[]>('select items from public.orders where id = $1', id);
  expect(items).toMatchObject([
    { product_id: chain, category: 'rings' },
    { product_id: ring, category: 'watches', hsn: '9102' },
  ]);
  expect(items[0]).not.toHaveProperty('hsn');
});
