import { beforeEach, describe, expect, test } from 'vitest';
import { sqlState } from '#tests/database/support/database.ts';
import type { PaidOrder } from '#tests/database/support/shop-database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId } from '#tests/database/support/shop-database.ts';
import { eachRow } from '#tests/each-row.ts';

const database = await useDatabase();

let ring = '';
let order: PaidOrder;
beforeEach(async () => {
  ring = await database.addProduct({ stock: 10 });
  order = await database.buy([{ product_id: ring, quantity: 2 }]);
});

/** Ten failures in a row, with the provider's last word. */
async function giveUp(id: number, error: string): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await database.query('update public.refunds set next_attempt_at = now() where id = $1', id);
    await database.query('select public.claim_refunds(100, 60)');
    await database.finishRefund(id, null, error);
  }
}

describe('a refund', () => {
  test('never exceeds what is left, to the paisa', async () => {
    expect(order.total_paise).toBe(204_720);
    expect(await database.requestRefund(order.id, 204_721)).toEqual({
      outcome: 'too_much',
      left_paise: 204_720,
    });
    expect(await database.requestRefund(order.id, 204_000)).toEqual({ outcome: 'refunding' });
    expect(await database.requestRefund(order.id, 721)).toEqual({
      outcome: 'too_much',
      left_paise: 720,
    });
    expect(await database.requestRefund(order.id, 720)).toEqual({ outcome: 'refunding' });
  });

  test('moves the order to partly refunded and refunded as the provider answers', async () => {
    await database.requestRefund(order.id, 100_000);
    await database.requestRefund(order.id, 104_720);
    const [first, second] = await database.refundsOf(order.payment);
    expect(await database.orderRow(order.id)).toMatchObject({ payment_status: 'COMPLETED' });
    await database.finishRefund(first?.id ?? 0, 'rfnd_1');
    expect(await database.orderRow(order.id)).toMatchObject({
      payment_status: 'PARTIALLY_REFUNDED',
      stage: 'to_pack',
    });
    await database.finishRefund(second?.id ?? 0, 'rfnd_2');
    expect(await database.orderRow(order.id)).toMatchObject({
      payment_status: 'REFUNDED',
      status: 'COMPLETED',
      stage: 'other',
    });
  });

  test('returns the chosen units to stock, never more than were sold and not given back before', async () => {
    const back = (quantity: number) =>
      database.requestRefund(order.id, 100, { restock: { [ring]: quantity } });
    expect(await back(3)).toEqual({ outcome: 'too_many_items', line_key: ring });
    expect((await back(1)).outcome).toBe('refunding');
    expect((await back(2)).outcome).toBe('too_many_items');
    expect((await back(1)).outcome).toBe('refunding');
    expect((await back(1)).outcome).toBe('too_many_items');
    expect(await database.stockOf(ring)).toBe(10);
    expect((await database.refundsOf(order.payment)).length).toBe(2);
  });

  test('takes no product of another order, and does not stop at one that was deleted', async () => {
    const other = await database.addProduct();
    expect((await database.requestRefund(order.id, 100, { restock: { [other]: 1 } })).outcome).toBe(
      'too_many_items',
    );
    await database.query('delete from public.products where id = $1', ring);
    expect((await database.requestRefund(order.id, 100, { restock: { [ring]: 1 } })).outcome).toBe(
      'refunding',
    );
  });

  const keyOf = (id: number | undefined): Promise<string> =>
    database.value('select idempotency_key from public.refunds where id = $1', id);

  test('that gave up without the provider’s word counts as gone, and is only tried again by its own key', async () => {
    await database.requestRefund(order.id, 150_000);
    const [refund] = await database.refundsOf(order.payment);
    await giveUp(refund?.id ?? 0, 'unreachable none');
    const before = await keyOf(refund?.id);
    expect(await database.requestRefund(order.id, 100_000)).toEqual({
      outcome: 'too_much',
      left_paise: 54_720,
    });
    const key = crypto.randomUUID();
    expect((await database.requestRefund(order.id, 150_000, { key })).outcome).toBe('refunding');
    expect((await database.requestRefund(order.id, 150_000, { key })).outcome).toBe('already');
    expect(await database.refundsOf(order.payment)).toEqual([
      { id: refund?.id, amount: 150_000, state: 'due' },
    ]);
    expect(await keyOf(refund?.id)).toBe(before);
  });

  test('that the provider refused did not go: another amount is free', async () => {
    await database.requestRefund(order.id, 150_000);
    const [refund] = await database.refundsOf(order.payment);
    await giveUp(refund?.id ?? 0, 'refused BAD_REQUEST_ERROR');
    expect((await database.requestRefund(order.id, 204_720)).outcome).toBe('refunding');
    expect((await database.requestRefund(order.id, 150_000)).outcome).toBe('too_much');
  });

  test('that the provider accepted and failed is requested again with a new key', async () => {
    await database.requestRefund(order.id, 150_000);
    const [refund] = await database.refundsOf(order.payment);
    await database.finishRefund(refund?.id ?? 0, 'rfnd_failed', 'failed at the provider');
    const before = await keyOf(refund?.id);
    expect((await database.requestRefund(order.id, 150_000)).outcome).toBe('refunding');
    const after = await keyOf(refund?.id);
    expect(after).not.toBe(before);
    expect(after.length).toBeLessThanOrEqual(40);
  });

  test('that failed and is requested again for other products is of these, and the customer is notified', async () => {
    const other = await database.addProduct({ stock: 10 });
    const mixed = await database.buy([
      { product_id: ring, quantity: 1 },
      { product_id: other, quantity: 1 },
    ]);
    const ask = (productId: string) =>
      database.requestRefund(mixed.id, 50_000, { items: { [productId]: 1 } });
    await ask(ring);
    const [refund] = await database.refundsOf(mixed.payment);
    await database.finishRefund(refund?.id ?? 0, 'rfnd_of_ring', 'failed at the provider');
    expect(await ask(other)).toEqual({ outcome: 'refunding' });
    expect(
      await database.query('select items, state from public.refunds where order_id = $1', mixed.id),
    ).toEqual([{ items: { [other]: 1 }, state: 'due' }]);
    const mails = `select 1 from public.outbox where kind = 'refund_notice' and order_id = $1`;
    expect(await database.query(mails, mixed.id)).toHaveLength(2);
  });

  test('without a valid key, amount or quantities is refused', () =>
    eachRow(
      [
        [null, 100, '{}'],
        [crypto.randomUUID(), 99, '{}'],
        ...['{"x": 0.5}', '{"x": -1}', '{"x": "1"}', '[]'].map(
          (restock) => [crypto.randomUUID(), 100, restock] as const,
        ),
      ],
      async (args) => {
        const sql = `select public.request_refund($1, $2, $3, 'x', $4::jsonb)`;
        expect(await sqlState(database.query(sql, order.id, ...args))).toBe('22023');
      },
    ));

  test('a refund of a second payment does not count against the order’s own', async () => {
    await database.markPaid(order, newPaymentId());
    expect((await database.requestRefund(order.id, 204_720)).outcome).toBe('refunding');
  });

  test('a refund of an order that was paid elsewhere is refused', async () => {
    const id = await database.value<number>(
      `insert into public.orders (merchant_transaction_id, status, payment_id, total_amount) values ('OLD-1', 'captured', 'pay_old', 500) returning id`,
    );
    expect(await database.requestRefund(id, 100)).toEqual({ outcome: 'not_paid' });
    expect(await database.cancel(id)).toEqual({ outcome: 'paid_elsewhere' });
  });
});

describe('a cancelled order', () => {
  const mails = (id: number) =>
    database.query(
      `select kind from public.outbox where order_id = $1 and kind not in ('order_confirmation', 'order_notice') order by id`,
      id,
    );

  test('has sent back the rest, and units that were not given back before', async () => {
    await database.requestRefund(order.id, 4_720, { restock: { [ring]: 1 } });
    expect(await database.cancel(order.id)).toEqual({ outcome: 'cancelled' });
    expect(await database.cancel(order.id)).toEqual({ outcome: 'already' });
    expect((await database.refundsOf(order.payment)).map(({ amount }) => amount)).toEqual([
      4_720, 200_000,
    ]);
    expect(await database.stockOf(ring)).toBe(10);
    expect(await mails(order.id)).toEqual([{ kind: 'refund_notice' }, { kind: 'order_cancelled' }]);
    expect(await database.orderRow(order.id)).toMatchObject({
      fulfilment: 'cancelled',
      stage: 'cancelled',
      cancel_reason: 'Sold in the shop',
    });
  });

  test('does not return its stock when the admin decides so', async () => {
    await database.cancel(order.id, { restock: false });
    expect(await database.stockOf(ring)).toBe(8);
  });

  test('is never one that is on its way', async () => {
    await database.setFulfilment(order.id, 'shipped');
    expect(await database.cancel(order.id)).toEqual({ outcome: 'shipped' });
  });

  test('that was not paid is queried first, returns its stock once, and is queried until no bank can approve it any more', async () => {
    const open = await database.openOrder(ring, 3);
    expect(await database.cancel(open.id, { asked: false })).toEqual({
      outcome: 'check_payment_first',
      razorpay_order_id: open.razorpay_order_id,
    });
    expect(await database.stockOf(ring)).toBe(5);
    expect(await database.cancel(open.id)).toEqual({ outcome: 'cancelled' });
    expect(await database.stockOf(ring)).toBe(8);
    const row = await database.orderRow(open.id);
    expect(row).toMatchObject({ status: 'FAILED', hold_state: 'released' });
    expect(row['next_check_at']).not.toBeNull();
    expect(await mails(open.id)).toEqual([]);
  });
});
