import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();
await database.allowRefunds();

const claim = (limit = 10): Promise<Record<string, unknown>[]> =>
  database.column('select public.claim_outbox($1, 60)', limit);
const finish = (id: unknown, error: string | null = null): Promise<unknown> =>
  database.one('select public.finish_outbox($1, $2) as answer', id, error);

/** The minutes until the next attempt. */
const minutesLeft = (table: 'outbox' | 'refunds', id: unknown): Promise<number> =>
  database.value(
    `select round(extract(epoch from next_attempt_at - now()) / 60)::int from public.${table} where id = $1`,
    id,
  );

describe('the outbox', () => {
  beforeEach(() => database.run('delete from public.outbox'));
  const write = (key: string): Promise<unknown> =>
    database.value(
      `insert into public.outbox (kind, recipient, payload, dedupe_key) values ('note', 'a@example.com', '{"n": 1}', $1) returning id`,
      key,
    );

  test('hands each mail to one sender, with its order', async () => {
    const ring = await database.addProduct();
    const order = await database.openOrder(ring, 2);
    await database.markPaid(order);
    const rows = await claim();
    const key = `order_confirmation:${String(order.id)}`;
    expect(rows).toMatchObject([
      { kind: 'order_confirmation', recipient: 'anjali@example.com', dedupe_key: key },
      { kind: 'order_notice', recipient: null, order: { id: order.id } },
    ]);
    expect(rows[0]?.['order']).toMatchObject({
      status: 'COMPLETED',
      total_paise: order.total_paise,
      items: [{ product_id: ring, quantity: 2, price: 1_000 }],
    });
    expect(await claim()).toEqual([]);
  });

  test('sends nothing twice, whatever is reported after it went out', async () => {
    const id = await write('once');
    await claim();
    expect(await finish(id)).toEqual({ answer: { sent: true } });
    expect(await finish(id, 'timeout')).toEqual({ answer: { sent: true } });
    await database.run(`update public.outbox set next_attempt_at = now(), locked_until = null`);
    expect(await claim()).toEqual([]);
  });

  test('keeps a mail whose sender died until the lease ends', async () => {
    await write('left');
    await claim();
    await database.run(`update public.outbox set locked_until = now() - interval '1 second'`);
    expect(await claim()).toMatchObject([{ dedupe_key: 'left' }]);
  });

  test('tries again after 1, 5, 30 and 120 minutes and gives up after twenty tries', async () => {
    const id = await write('stubborn');
    const waits: unknown[] = [];
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      await database.run('update public.outbox set next_attempt_at = now()');
      expect(await claim()).toHaveLength(1);
      expect(await finish(id, 'EAUTH 535')).toEqual({ answer: { sent: false } });
      waits.push(await minutesLeft('outbox', id));
    }
    expect(waits.slice(0, 6)).toEqual([1, 5, 30, 120, 360, 1_440]);
    await database.run('update public.outbox set next_attempt_at = now()');
    expect(await claim()).toEqual([]);
    expect(await database.one('select attempts, last_error, sent_at from public.outbox')).toEqual({
      attempts: 20,
      last_error: 'EAUTH 535',
      sent_at: null,
    });
  });
});

describe('refunds', () => {
  let ring = '';
  let customer = '';
  beforeEach(async () => {
    await database.run(`update public.refunds set state = 'processed'`);
    [ring, customer] = [await database.addProduct({ stock: 5 }), await database.addCustomer()];
  });
  const claimRefunds = (): Promise<Record<string, unknown>[]> =>
    database.column('select public.claim_refunds(10, 60)');
  async function secondPayment() {
    const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
    const payment = newPaymentId();
    await database.markPaid(order);
    await database.markPaid(order, payment);
    const [refund] = await database.refundsOf(payment);
    return { order, payment, refund: refund?.id ?? 0 };
  }
  const finishRefund = (
    id: number,
    refundId: string | null,
    error: string | null = null,
    processed = true,
  ): Promise<string> =>
    database.value(
      `select public.finish_refund($1, $2, $3, $4) ->> 'state'`,
      ...[id, refundId, error, processed],
    );
  const refundRow = (id: number): Promise<Record<string, unknown>> =>
    database.one('select * from public.refunds where id = $1', id);
  const paymentState = (id: string): Promise<unknown> =>
    database.value('select state from public.payments where payment_id = $1', id);

  test('are claimed once in a lease, and are done when the provider says so', async () => {
    const { order, payment, refund } = await secondPayment();
    expect(await claimRefunds()).toEqual([
      {
        id: refund,
        payment_id: payment,
        amount_paise: 102_360,
        idempotency_key: `refund_${payment}`,
      },
    ]);
    expect(await claimRefunds()).toEqual([]);
    expect(await finishRefund(refund, `rfnd_${payment}`)).toBe('processed');
    expect(await refundRow(refund)).toMatchObject({
      state: 'processed',
      razorpay_refund_id: `rfnd_${payment}`,
    });
    expect(await paymentState(payment)).toBe('refunded');
    expect(await database.orderRow(order.id)).toMatchObject({
      status: 'COMPLETED',
      payment_status: 'COMPLETED',
    });
    expect(await finishRefund(refund, `rfnd_${payment}`, 'failed at the provider')).toBe(
      'processed',
    );
  });

  test('refunds of an order that could not be kept make it REFUNDED', async () => {
    const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 5 }]);
    await database.release(order.id);
    await database.query('update public.products set stock = 0 where id = $1', ring);
    await database.markPaid(order);
    await database.markPaid(order);
    const [first, second] = await claimRefunds();
    await finishRefund(Number(first?.['id']), 'rfnd_first');
    expect(await database.orderRow(order.id)).toMatchObject({ payment_status: 'REFUND_DUE' });
    await finishRefund(Number(second?.['id']), 'rfnd_second');
    expect(await database.orderRow(order.id)).toMatchObject({
      status: 'FAILED',
      payment_status: 'REFUNDED',
    });
  });

  test('under way are requested no more, and end with the provider’s event', async () => {
    const { payment, refund } = await secondPayment();
    expect(await finishRefund(refund, `rfnd_${payment}`, null, false)).toBe('requested');
    await database.query(`update public.refunds set next_attempt_at = now() where id = $1`, refund);
    expect(await claimRefunds()).toEqual([]);
    expect(await paymentState(payment)).toBe('refund_due');
    expect(await finishRefund(refund, `rfnd_${payment}`)).toBe('processed');
    expect(await paymentState(payment)).toBe('refunded');
  });

  test('that could not be requested wait longer each time, and after ten attempts the admin is notified', async () => {
    const { refund } = await secondPayment();
    const waits: unknown[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await database.query(
        'update public.refunds set next_attempt_at = now() where id = $1',
        refund,
      );
      await database.query('select public.claim_refunds(10, 60)');
      await finishRefund(refund, null, 'unreachable');
      waits.push(await minutesLeft('refunds', refund));
    }
    expect(waits).toEqual([1, 5, 30, 120, 360, 1_440, 1_440, 1_440, 1_440, 10]);
    expect(await refundRow(refund)).toMatchObject({
      state: 'failed',
      attempts: 10,
      last_error: 'unreachable',
    });
    expect(
      await database.query(
        `select payload ->> 'reason' as reason, recipient from public.outbox where dedupe_key = $1`,
        `refund_failed:${String(refund)}`,
      ),
    ).toEqual([{ reason: 'refund_failed', recipient: null }]);
  });
});
