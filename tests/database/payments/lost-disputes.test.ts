import { beforeEach, describe, expect, test } from 'vitest';
import { oneAfterTheOther, useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type OpenOrder } from '#tests/database/support/shop-database.ts';

/* What else is under way for a payment when its bank gives it back: refunds without an answer, other payments, documents and lists. */
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

const dispute = (
  event: string,
  amount = order.total_paise,
  of = payment,
): Promise<{ outcome: string }> =>
  database.value(
    'select public.record_dispute($1, $2, $3, $4)',
    ...[of, `disp_${of}`, event, amount],
  );
/** The amounts that go to Razorpay, whatever the time of the next attempt. */
async function sent(of = payment): Promise<number[]> {
  await database.query(
    'update public.refunds set next_attempt_at = now() where payment_id = $1',
    of,
  );
  return await database.column(
    `select (row ->> 'amount_paise')::int from public.claim_refunds(100, 60) row where row ->> 'payment_id' = $1`,
    of,
  );
}
async function answerRefund(error: string | null, of = payment): Promise<void> {
  const refunds = await database.refundsOf(of);
  const last = refunds.find(({ state }) => state === 'due') ?? refunds.at(-1);
  await database.finishRefund(last?.id ?? 0, error === null ? `rfnd_${of}` : null, error);
}
const refund = (of = payment): Promise<{ outcome: string }> =>
  database.value('select public.refund_payment($1, gen_random_uuid())', of);
const problems = (of = payment): Promise<string[]> =>
  database.column('select kind from private.payment_problems() where payment_id = $1', of);

describe('a refund that Razorpay did not answer', () => {
  const unanswered = 'unreachable none';

  test('is not sent again when the bank gave the money back', async () => {
    await database.cancel(order.id);
    expect(await sent()).toEqual([order.total_paise]);
    await answerRefund(unanswered);
    await dispute('created');
    await dispute('lost');
    expect(await sent()).toEqual([]);
    expect(await refund()).toEqual({ outcome: 'nothing' });
    // The shop asks Razorpay whether it was made.
    const polled = await database.query<{ id: number }>(
      `update public.refunds set next_attempt_at = now() where payment_id = $1 returning id::int`,
      payment,
    );
    expect(
      await database.column(`select (row ->> 'id')::int from public.refunds_to_poll(100) row`),
    ).toEqual(polled.map(({ id }) => id));
    await database.value('select public.clear_unanswered_refund($1)', polled[0]?.id);
    expect([await sent(), await problems()]).toEqual([[], []]);
  });

  test('and then refuses, is not sent again either', async () => {
    await database.cancel(order.id);
    await sent();
    await dispute('lost');
    await answerRefund('refused BAD_REQUEST_ERROR');
    expect(await sent()).toEqual([]);
  });

  test.each([
    ['the cancellation', () => database.cancel(order.id), 'cancelled'],
    ['Today', refund, 'nothing'],
    ['the order', () => database.requestRefund(order.id, 10_000), 'too_much'],
  ])('and failed, is not tried again by %s', async (_where, press, outcome) => {
    await database.requestRefund(order.id, 10_000);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await sent()).toEqual([10_000]);
      await answerRefund(unanswered);
    }
    expect(await problems()).toEqual(['refund_failed']);
    await dispute('lost');
    expect(await press()).toMatchObject({ outcome });
    expect(await sent()).toEqual([]);
  });
});

test('an order is not refunded while another payment, or a part of this one, is still to go back', async () => {
  const ring = await database.addProduct({ stock: 1 });
  const late = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  await database.release(late.id);
  await database.buy([{ product_id: ring, quantity: 1 }]);
  const [first, second] = [newPaymentId(), newPaymentId()];
  for (const one of [first, second]) await database.markPaid(late, one);
  const state = async (): Promise<unknown> => (await database.orderRow(late.id))['payment_status'];
  await dispute('lost', late.total_paise, first);
  expect(await state()).toBe('REFUND_DUE');
  await dispute('lost', 10_000, second);
  expect([await state(), await problems(second)]).toEqual(['REFUND_DUE', ['refund_failed']]);
  await refund(second);
  expect(await sent(second)).toEqual([late.total_paise - 10_000]);
  await answerRefund(null, second);
  expect(await state()).toBe('REFUNDED');
});

describe('an order that is cancelled after its bank gave the money back', () => {
  test('is refunded, and costs nobody anything', async () => {
    await dispute('lost');
    expect(await database.cancelOwn(customer, order.id, true)).toEqual({ outcome: 'cancelled' });
    expect(await database.orderRow(order.id)).toMatchObject({ payment_status: 'REFUNDED' });
    const alerts = await database.column<object>(
      `select payload from public.outbox
       where order_id = $1 and payload ->> 'topic' = 'cancelled_by_customer'`,
      order.id,
    );
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).not.toHaveProperty('amount_paise');
    expect(
      await database.column(
        `select 1 from public.costs where effect = 'fee_lost' and key = $1`,
        customer,
      ),
    ).toEqual([]);
  });

  test('has a credit note of its whole invoice, once the last dispute is closed', async () => {
    await database.assignInvoice(order.id);
    await dispute('created');
    await database.cancel(order.id);
    const due = (): Promise<object[]> =>
      database.column('select public.credit_notes_due(10, $1)', order.id);
    await database.value(
      `select public.record_dispute($1, $2, 'lost', 10000)`,
      ...[payment, `disp_other_${payment}`],
    );
    expect(await due()).toEqual([]);
    await dispute('lost', order.total_paise - 10_000);
    expect(await due()).toMatchObject([
      { refundId: null, amountPaise: order.total_paise, reason: 'lost' },
    ]);
    const issue = (): Promise<string> =>
      database.value(`select public.issue_credit_note(null, '{}', 0, $1) ->> 'outcome'`, order.id);
    expect([await issue(), await issue(), await due()]).toEqual(['issued', 'already', []]);
  });

  test('has another one for what a bank gave back after the first', async () => {
    await database.assignInvoice(order.id);
    const first = `disp_first_${payment}`;
    await database.value(`select public.record_dispute($1, $2, 'lost', 10000)`, payment, first);
    await database.cancel(order.id);
    const amounts: number[] = [];
    const issue = async (): Promise<void> => {
      const due = await database.column<{ refundId: number | null; amountPaise: number }>(
        'select public.credit_notes_due(10, $1)',
        order.id,
      );
      for (const { refundId, amountPaise } of due) {
        expect(refundId).toBeNull();
        expect(
          await database.value(
            `select public.issue_credit_note(null, '{}', $2, $1) ->> 'outcome'`,
            ...[order.id, amounts.length],
          ),
        ).toBe('issued');
        amounts.push(amountPaise);
      }
    };
    await issue();
    await issue();
    await dispute('lost', order.total_paise - 10_000);
    await issue();
    expect(amounts).toEqual([10_000, order.total_paise - 10_000]);
  });

  test('has none while a refund without an answer may still turn out to be made', async () => {
    await database.assignInvoice(order.id);
    await database.cancel(order.id);
    await sent();
    await answerRefund('unreachable none');
    await dispute('lost');
    const due = (): Promise<{ refundId: number | null; amountPaise: number }[]> =>
      database.column('select public.credit_notes_due(10, $1)', order.id);
    expect(await due()).toEqual([]);
    await answerRefund(null);
    expect(await due()).toMatchObject([{ amountPaise: order.total_paise }]);
    expect((await due())[0]?.refundId).not.toBeNull();
  });

  test('has none for what a refund gave back before', async () => {
    await database.assignInvoice(order.id);
    await database.cancel(order.id);
    await sent();
    await answerRefund(null);
    await dispute('lost');
    const due = await database.column<{ refundId: number | null }>(
      'select public.credit_notes_due(10, $1)',
      order.id,
    );
    expect(due).toHaveLength(1);
    expect(due[0]?.refundId).not.toBeNull();
    await database.value(`select public.issue_credit_note($1, '{}', 0)`, due[0]?.refundId);
    expect(await database.column('select public.credit_notes_due(10, $1)', order.id)).toEqual([]);
  });

  test('has none while it is delivered: the customer has the goods', async () => {
    await database.assignInvoice(order.id);
    await database.setFulfilment(order.id, 'shipped');
    await dispute('lost');
    expect(await database.column('select public.credit_notes_due(10, $1)', order.id)).toEqual([]);
  });
});

test('the list of refunds names what still goes back, and no refund that the bank made needless', async () => {
  interface Page {
    orders: { order: { id: number }; refundSums: object }[];
    counts: { refunds: number };
  }
  const listed = async (filter: string): Promise<object | undefined> => {
    const page = await database.value<Page>(
      `select public.list_orders($1, '{}', '{}', null, null, 100)`,
      filter,
    );
    if (filter === 'refunds') expect(page.counts.refunds).toBe(page.orders.length);
    return page.orders.find(({ order: { id } }) => id === order.id)?.refundSums;
  };
  await dispute('created');
  await database.cancel(order.id);
  expect(await listed('refunds')).toMatchObject({ openPaise: order.total_paise });
  await dispute('lost');
  expect([await listed('refunds'), await listed('refunded')]).toEqual([undefined, undefined]);
  expect(await listed('all')).toMatchObject({ openPaise: 0, donePaise: 0 });
  const detail = await database.value<{ payments: object[] }>(
    'select public.read_order($1)',
    order.id,
  );
  expect(detail.payments).toMatchObject([{ lostPaise: order.total_paise }]);
});

test.each(['never tried', 'without an answer'])(
  'the admin hears of a refund (%s) that ended because part of it went back in the dashboard',
  async (attempt) => {
    await database.cancel(order.id);
    if (attempt === 'without an answer') {
      await sent();
      await answerRefund('unreachable none');
    }
    await database.value(
      `select public.record_refund($1, $2, 10000, 'processed')`,
      ...[payment, `rfnd_dashboard_${payment}`],
    );
    expect(await sent()).toEqual([]);
    expect(
      await database.column(
        `select payload ->> 'reason' from public.outbox where order_id = $1 and kind = 'refund_alert'`,
        order.id,
      ),
    ).toEqual(['refund_failed']);
    await database.query(
      'select public.clear_unanswered_refund(id) from public.refunds where payment_id = $1',
      payment,
    );
    await refund();
    expect(await sent()).toEqual([order.total_paise - 10_000]);
  },
);

test('a dispute of a payment whose order is not known yet waits for the order, which may be about to take it', async () => {
  const ring = await database.addProduct({ stock: 3 });
  const later = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  const early = newPaymentId();
  await database.query(
    `insert into public.payments (payment_id, razorpay_order_id, amount_paise, currency, state, reason)
     values ($1, $2, $3, 'INR', 'unmatched', 'unknown_order')`,
    ...[early, later.razorpay_order_id, later.total_paise],
  );
  const [, { outcome }] = await oneAfterTheOther(
    database,
    (one) => one.query('select 1 from public.orders where id = $1 for update', later.id),
    (other) =>
      other.value<{ outcome: string }>(
        `select public.record_dispute($1, $2, 'created', 100)`,
        ...[early, `disp_${early}`],
      ),
  );
  expect(outcome).toBe('recorded');
});

test('the admin hears of a refund that a lost dispute ended when a rupee or more is left, and not for less', async () => {
  const alerts = (): Promise<number> =>
    database.value(
      `select count(*)::int from public.outbox where order_id = $1 and kind = 'refund_alert'`,
      order.id,
    );
  for (const [left, count] of [
    [99, 0],
    [100, 1],
  ] as const) {
    order = await database.openOrder(await database.addProduct({ stock: 1 }));
    payment = newPaymentId();
    await database.markPaid(order, payment);
    await database.requestRefund(order.id, order.total_paise);
    await dispute('lost', order.total_paise - left);
    expect([left, await alerts()]).toEqual([left, count]);
  }
});
