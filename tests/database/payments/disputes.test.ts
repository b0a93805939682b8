import { beforeEach, describe, expect, test } from 'vitest';
import { refundNoticeSchema, whenBack } from '#core/mail/letters/refund-mails.ts';
import { race, useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type OpenOrder } from '#tests/database/support/shop-database.ts';

/* Payments that a customer disputes with the bank: nothing goes back twice, by the bank and by the shop. */
const database = await useDatabase();
await database.allowRefunds();

let customer = '';
let order: OpenOrder;
let payment = '';
beforeEach(async () => {
  customer = await database.addCustomer();
  const ring = await database.addProduct({ stock: 3 });
  order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  payment = newPaymentId();
  await database.markPaid(order, payment);
});

const dispute = (event: string, amount = order.total_paise): Promise<{ outcome: string }> =>
  database.value(
    'select public.record_dispute($1, $2, $3, $4)',
    ...[payment, `disp_${payment}`, event, amount],
  );
/** The amounts that go to Razorpay now. */
const sent = (): Promise<number[]> =>
  database.column(
    `select (row ->> 'amount_paise')::int from public.claim_refunds(100, 60) row where row ->> 'payment_id' = $1`,
    payment,
  );
const detail = (): Promise<{ refundablePaise: number; refunds: { disputed: boolean }[] }> =>
  database.value('select public.read_order($1)', order.id);
const state = (): Promise<string> =>
  database.value('select state from public.payments where payment_id = $1', payment);
const problems = (): Promise<string[]> =>
  database.column('select kind from private.payment_problems() where payment_id = $1', payment);

describe('while a bank decides', () => {
  test('a cancelled order ends, and its refund waits; the customer and the admin read why', async () => {
    await dispute('created');
    expect(await database.cancel(order.id)).toEqual({ outcome: 'cancelled' });
    expect(await database.refundsOf(payment)).toMatchObject([{ state: 'due' }]);
    expect(await sent()).toEqual([]);
    // Nor does the sweep wake for it.
    expect(await database.value(`select private.idle_steps('{}', 0, null, null)`)).toContain(
      'refunds',
    );
    expect((await detail()).refunds).toMatchObject([{ disputed: true }]);
    const payload = refundNoticeSchema.parse(
      await database.value(
        `select payload from public.outbox where order_id = $1 and kind = 'order_cancelled'`,
        order.id,
      ),
    );
    expect(whenBack(payload)).toContain('a bank decides about it first');
  });

  test.each(['won', 'closed'])('and then leaves the money here (%s), it goes back', async (end) => {
    await dispute('created');
    await database.cancel(order.id);
    await dispute('under_review');
    expect(await sent()).toEqual([]);
    await dispute(end);
    expect(await sent()).toEqual([order.total_paise]);
  });

  test('the customer cannot cancel, and can when it is over', async () => {
    await dispute('created');
    expect(await database.cancelOwn(customer, order.id, true)).toEqual({ outcome: 'ask' });
    await dispute('won');
    expect(await database.cancelOwn(customer, order.id, true)).toEqual({ outcome: 'cancelled' });
    expect(await sent()).toEqual([order.total_paise]);
  });
});

describe('what a bank gave back', () => {
  test('is not refunded when the order is cancelled before, and is then refunded', async () => {
    await dispute('created');
    await database.cancel(order.id);
    await dispute('lost');
    expect(await sent()).toEqual([]);
    expect(await problems()).toEqual([]);
    expect(await database.orderRow(order.id)).toMatchObject({ payment_status: 'REFUNDED' });
    expect(await state()).toBe('refunded');
  });

  test.each(['the shop', 'the customer'])('is not refunded when %s cancels later', async (who) => {
    await dispute('lost');
    await (who === 'the shop'
      ? database.cancel(order.id)
      : database.cancelOwn(customer, order.id, true));
    expect(await database.orderRow(order.id)).toMatchObject({ fulfilment: 'cancelled' });
    expect(await database.refundsOf(payment)).toEqual([]);
  });

  test('is not refunded by the admin, who reads what is left', async () => {
    await dispute('lost', order.total_paise - 10_000);
    expect([(await detail()).refundablePaise, await state()]).toEqual([10_000, 'accepted']);
    expect(await database.requestRefund(order.id, 10_100)).toEqual({
      outcome: 'too_much',
      left_paise: 10_000,
    });
    expect(await database.requestRefund(order.id, 10_000)).toEqual({ outcome: 'refunding' });
    expect(await sent()).toEqual([10_000]);
    const [rest] = await database.refundsOf(payment);
    await database.finishRefund(rest?.id ?? 0, `rfnd_${payment}`);
    expect(await state()).toBe('refunded');
    expect(await database.orderRow(order.id)).toMatchObject({ payment_status: 'REFUNDED' });
  });

  test('leaves the rest of a cancelled order to the admin, who sends it', async () => {
    await dispute('created');
    await database.cancel(order.id);
    await dispute('lost', order.total_paise - 10_000);
    expect(await sent()).toEqual([]);
    expect(await problems()).toEqual(['refund_failed']);
    await database.value('select public.refund_payment($1, gen_random_uuid())', payment);
    expect(await sent()).toEqual([10_000]);
  });

  test('is taken off a payment that waited for the admin, and with all of it gone nothing waits', async () => {
    await database.query(
      `update public.payments set state = 'unmatched', reason = 'duplicate_purchase' where payment_id = $1`,
      payment,
    );
    await database.query('update public.orders set payment_id = null where id = $1', order.id);
    expect(await problems()).toEqual(['duplicate']);
    await dispute('lost', order.total_paise - 10_000);
    expect(
      await database.value('select public.refund_payment($1, gen_random_uuid())', payment),
    ).toEqual({ outcome: 'refunding' });
    expect(await sent()).toEqual([10_000]);
    payment = newPaymentId();
    await database.query(
      `insert into public.payments (payment_id, amount_paise, currency, state) values ($1, $2, 'INR', 'unmatched')`,
      payment,
      order.total_paise,
    );
    await dispute('lost');
    expect(await problems()).toEqual([]);
    expect(
      await database.value('select public.refund_payment($1, gen_random_uuid())', payment),
    ).toEqual({ outcome: 'nothing' });
  });

  test('is all of the payment at most, also with refunds that were made before', async () => {
    await database.requestRefund(order.id, 10_000);
    const [refund] = await database.refundsOf(payment);
    await database.finishRefund(refund?.id ?? 0, `rfnd_${payment}`);
    await dispute('lost');
    expect((await detail()).refundablePaise).toBe(0);
    expect(await database.cancel(order.id)).toEqual({ outcome: 'cancelled' });
    expect(await database.refundsOf(payment)).toHaveLength(1);
  });

  test('is not sent: the order cannot be packed', async () => {
    await dispute('lost');
    expect(await database.setFulfilment(order.id, 'packed')).not.toEqual({ outcome: 'changed' });
  });
});

test('a dispute that is reported while its order is cancelled waits for it, and neither fails', async () => {
  const connections = await database.connect(4);
  for (let round = 0; round < 10; round += 1) {
    const ring = await database.addProduct({ stock: 3 });
    const raced = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
    const paid = newPaymentId();
    await database.markPaid(raced, paid);
    const outcomes = await race(connections, async (connection, index) => {
      const { outcome } =
        index === 0
          ? await connection.cancel(raced.id)
          : await connection.value<{ outcome: string }>(
              `select public.record_dispute($1, $2, 'created', 100)`,
              ...[paid, `disp_${paid}_${String(index)}`],
            );
      return outcome;
    });
    expect(outcomes).toEqual({ cancelled: 1, recorded: 3 });
  }
  expect(await database.deadlocks()).toBe(0);
});
