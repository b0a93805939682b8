import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type OpenOrder } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();
await database.allowRefunds();

let ring = '';
let chain = '';
let order: OpenOrder;
let customer = '';
beforeEach(async () => {
  customer = await database.addCustomer();
  ring = await database.addProduct({ price: 1_000, stock: 5 });
  chain = await database.addProduct({ price: 2_000, stock: 1 });
  order = await database.placeOpen(customer, [
    { product_id: ring, quantity: 2 },
    { product_id: chain, quantity: 1 },
  ]);
});

const stocks = async (): Promise<number[]> => [
  await database.stockOf(ring),
  await database.stockOf(chain),
];
const paymentRow = (id: string): Promise<Record<string, unknown>> =>
  database.one('select * from public.payments where payment_id = $1', id);
const refunds = (): Promise<Record<string, unknown>[]> =>
  database.query(
    'select payment_id, amount_paise, reason, state, idempotency_key from public.refunds where order_id = $1',
    order.id,
  );
const mails = (): Promise<unknown[]> =>
  database.column(
    `select kind || ' to ' || coalesce(recipient, 'owner') as mail from public.outbox where order_id = $1 order by id`,
    order.id,
  );
const sellOut = (id: string): Promise<unknown> =>
  database.query('update public.products set stock = 0 where id = $1', id);

const confirmations = ['order_confirmation to anjali@example.com', 'order_notice to owner'];
const refundMails = ['refund_alert to owner', 'refund_notice to anjali@example.com'];

describe('a payment of an open order', () => {
  test('completes it, takes the hold and queues both mails', async () => {
    const payment = newPaymentId();
    expect(await database.markPaid(order, payment)).toBe('paid');
    expect(await database.orderRow(order.id)).toMatchObject({
      status: 'COMPLETED',
      payment_status: 'COMPLETED',
      payment_id: payment,
      payment_method: 'upi',
      payment_reference: payment,
      hold_state: 'taken',
      next_check_at: null,
      paid_at: expect.any(Date) as unknown,
    });
    expect(await paymentRow(payment)).toMatchObject({
      state: 'accepted',
      order_id: order.id,
      amount_paise: order.total_paise,
      currency: 'INR',
    });
    expect([await stocks(), await mails(), await refunds()]).toEqual([[3, 0], confirmations, []]);
  });

  test('is taken after its time too, as long as nobody released it', async () => {
    await database.query(
      'update public.orders set hold_expires_at = now() where id = $1',
      order.id,
    );
    expect([await database.markPaid(order), await stocks()]).toEqual(['paid', [3, 0]]);
  });

  test('reported again changes nothing, and cannot be released', async () => {
    const payment = newPaymentId();
    await database.markPaid(order, payment);
    const before = await database.orderRow(order.id);
    expect(await database.markPaid(order, payment)).toBe('already_paid');
    expect(await database.release(order.id)).toBe('paid');
    expect([await database.orderRow(order.id), await stocks(), await mails()]).toEqual([
      before,
      [3, 0],
      confirmations,
    ]);
  });
});

describe('a payment of a released order', () => {
  test.each(['released by the sweep', 'given up for another cart'])(
    '%s takes the stock again',
    async (ending) => {
      if (ending === 'released by the sweep') await database.release(order.id);
      else {
        const bead = await database.addProduct();
        await database.placeOpen(customer, [{ product_id: bead, quantity: 1 }]);
      }
      expect([await stocks(), await database.markPaid(order)]).toEqual([[5, 1], 'paid']);
      expect(await database.orderRow(order.id)).toMatchObject({
        status: 'COMPLETED',
        payment_status: 'COMPLETED',
        hold_state: 'taken',
      });
      expect([await stocks(), await mails()]).toEqual([[3, 0], confirmations]);
    },
  );

  test.each(['all of it', 'one product', 'a deleted product'])(
    'goes back whole when %s is gone',
    async (what) => {
      await database.release(order.id);
      if (what === 'a deleted product')
        await database.query('delete from public.products where id = $1', chain);
      else await sellOut(chain);
      if (what === 'all of it') await sellOut(ring);
      const payment = newPaymentId();
      expect(await database.markPaid(order, payment)).toBe('refund_due');
      expect(await database.markPaid(order, payment)).toBe('refund_due');
      expect(await database.orderRow(order.id)).toMatchObject({
        status: 'FAILED',
        payment_status: 'REFUND_DUE',
        payment_id: null,
        hold_state: 'released',
        next_check_at: null,
      });
      expect(await paymentRow(payment)).toMatchObject({
        state: 'refund_due',
        reason: 'stock_gone',
      });
      expect(await refunds()).toEqual([
        {
          payment_id: payment,
          amount_paise: order.total_paise,
          reason: 'stock_gone',
          state: 'due',
          idempotency_key: `refund_${payment}`,
        },
      ]);
      expect(await mails()).toEqual(refundMails);
      expect(await database.stockOf(ring)).toBe(what === 'all of it' ? 0 : 5);
      expect(await database.release(order.id)).toBe('already');
      expect(await database.orderRow(order.id)).toMatchObject({ payment_status: 'REFUND_DUE' });
    },
  );

  test('a further payment is refunded too, even if there is stock again', async () => {
    await database.release(order.id);
    await sellOut(chain);
    await database.markPaid(order);
    await database.query('update public.products set stock = 1 where id = $1', chain);
    expect(await database.markPaid(order)).toBe('refund_due');
    expect(await refunds()).toHaveLength(2);
    expect(await database.orderRow(order.id)).toMatchObject({
      status: 'FAILED',
      payment_status: 'REFUND_DUE',
    });
  });
});

describe('a second payment', () => {
  test('a second payment of a paid order goes back, once; the order stands', async () => {
    const [first, second] = [newPaymentId(), newPaymentId()];
    await database.markPaid(order, first);
    const before = await database.orderRow(order.id);
    expect(await database.markPaid(order, second)).toBe('refund_due');
    expect(await database.markPaid(order, second)).toBe('refund_due');
    expect(await database.markPaid(order, first)).toBe('already_paid');
    expect(await database.orderRow(order.id)).toEqual(before);
    expect(await refunds()).toMatchObject([
      { payment_id: second, amount_paise: order.total_paise, reason: 'second_payment' },
    ]);
    expect([await stocks(), await mails()]).toEqual([
      [3, 0],
      [...confirmations, ...refundMails],
    ]);
  });
});

describe('a payment that is not of this order', () => {
  test.each([
    ['one paisa less', (total: number) => total - 1, 'INR'],
    ['one paisa more', (total: number) => total + 1, 'INR'],
    ['one paisa in all', () => 1, 'INR'],
    ['another currency', (total: number) => total, 'USD'],
  ])('with %s goes back, and the order still waits', async (_name, amountOf, currency) => {
    const [payment, before] = [newPaymentId(), await database.orderRow(order.id)];
    const amount = amountOf(order.total_paise);
    expect(await database.markPaid(order, payment, { amount, currency })).toBe('mismatch');
    expect(await database.markPaid(order, payment, { amount, currency })).toBe('mismatch');
    expect(await database.orderRow(order.id)).toEqual(before);
    expect(await paymentRow(payment)).toMatchObject({
      state: 'refund_due',
      reason: 'amount_mismatch',
      amount_paise: amount,
      currency,
    });
    expect(await refunds()).toMatchObject([
      { payment_id: payment, amount_paise: amount, reason: 'amount_mismatch' },
    ]);
    expect(await mails()).toEqual(['refund_alert to owner']);
    expect(await database.markPaid(order)).toBe('paid');
  });

  test('the payment of another order cannot pay this one', async () => {
    const other = await database.openOrder(ring);
    const payment = newPaymentId();
    await database.markPaid(other, payment);
    expect(await database.markPaid(order, payment)).toBe('mismatch');
    expect(await database.orderRow(order.id)).toMatchObject({
      status: 'PENDING',
      hold_state: 'held',
    });
    expect([await refunds(), await mails()]).toEqual([[], []]);
  });

  test('an unknown order keeps a record of the payment, which may find its order later', async () => {
    const [payment, stranger] = [
      newPaymentId(),
      { razorpay_order_id: `order_${crypto.randomUUID()}`, total_paise: order.total_paise },
    ];
    const event = { eventId: crypto.randomUUID() };
    expect(await database.markPaid(stranger, payment, event)).toBe('unknown_order');
    expect(await database.markPaid(stranger, payment, event)).toBe('unknown_order');
    expect(await paymentRow(payment)).toMatchObject({ state: 'unmatched', order_id: null });
    await database.query(
      'update public.orders set razorpay_order_id = $2 where id = $1',
      order.id,
      stranger.razorpay_order_id,
    );
    expect(await database.markPaid(stranger, payment, event)).toBe('paid');
    expect(await paymentRow(payment)).toMatchObject({ state: 'accepted', order_id: order.id });
  });
});

describe('an event', () => {
  test('is handled once', async () => {
    const [payment, eventId] = [newPaymentId(), crypto.randomUUID()];
    expect(await database.markPaid(order, payment, { eventId })).toBe('paid');
    expect(await database.markPaid(order, payment, { eventId })).toBe('duplicate_event');
    expect(
      await database.one(
        'select event, payment_id from public.webhook_events where event_id = $1',
        eventId,
      ),
    ).toEqual({ event: 'payment.captured', payment_id: payment });
    expect(await mails()).toEqual(confirmations);
  });

  test('an event whose id was used for other news is not swallowed: the id is outside the signature', async () => {
    const eventId = crypto.randomUUID();
    await database.query(
      `insert into public.webhook_events (event_id, event, payment_id) values ($1, 'payment.failed', 'pay_other')`,
      eventId,
    );
    expect(await database.markPaid(order, newPaymentId(), { eventId })).toBe('paid');
  });

  test('is forgotten with the transaction that failed, and handled when it comes again', async () => {
    const [payment, eventId] = [newPaymentId(), crypto.randomUUID()];
    await database.run('alter table public.outbox rename to outbox_away');
    await expect(database.markPaid(order, payment, { eventId })).rejects.toThrow(/outbox/u);
    await database.run('alter table public.outbox_away rename to outbox');
    expect(await database.orderRow(order.id)).toMatchObject({ status: 'PENDING' });
    expect(await database.markPaid(order, payment, { eventId })).toBe('paid');
  });
});
