import { beforeEach, describe, expect, test } from 'vitest';
import { refundNoticeSchema, whenBack } from '#core/mail/letters/refund-mails.ts';
import { letters } from '#netlify/features/cash-on-delivery/letters.ts';
import { formatRupees } from '#domain/money.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId } from '#tests/database/support/shop-database.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import {
  cashSummary,
  confirm,
  endCashOrders,
  openAdvance,
  placeCash,
  receive,
  refuse,
  reserve,
  reserveWithAdvance,
  send,
  withAdvance,
} from './cash-orders.ts';

/* How orders that are paid at the door end otherwise: cancelled, disputed, refunded, paid late or erased. */
const database = await useDatabase();
await database.allowRefunds();
let customer = '';
let ring = '';
beforeEach(async () => {
  await endCashOrders(database);
  customer = await database.addCustomer();
  ring = await database.addProduct({ price: 1_000, stock: 5 });
});
const one = () => [{ product_id: ring, quantity: 1 }];
const due = (terms = sampleCash) => cashSummary(one(), terms).cash?.due ?? 0;
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
/** A refund that was made in Razorpay's dashboard. */
const returnInDashboard = (payment: string, amount: number): Promise<unknown> =>
  database.query(
    `select public.record_refund($1, $2, $3, 'processed')`,
    ...[payment, `rfnd_${crypto.randomUUID().slice(0, 8)}`, amount],
  );
const refunds = (id: number): Promise<Record<string, unknown>[]> =>
  database.query(
    'select payment_id, amount_paise::int as amount, state from public.refunds where order_id = $1 order by id',
    id,
  );
const payloadOf = (id: number, kind: string): Promise<Record<string, unknown>> =>
  database.value('select payload from public.outbox where order_id = $1 and kind = $2', id, kind);
const orderOf = async (id: number): Promise<Record<string, unknown>> =>
  database.value('select to_jsonb(o) from public.orders o where id = $1', id);
const textOf = async (mail: unknown): Promise<string> => ((await mail) as { text: string }).text;
/** An order with an advance whose cash has come too. */
async function paid(): Promise<{ id: number; payment: string; advance: number }> {
  const order = await reserveWithAdvance(database, customer, one());
  await send(database, order.id);
  await receive(database, order.id, due(withAdvance));
  return order;
}

describe('an invoice of an order that ends before its cash comes gets credit notes for all of it', () => {
  const credited = async (id: number): Promise<{ amountPaise: number; reason: string | null }[]> =>
    database.column('select public.credit_notes_due(10, $1)', id);

  test('when the customer cancels it', async () => {
    const id = await reserve(database, customer, one());
    await confirm(database, id);
    expect((await database.assignInvoice(id)).outcome).toBe('assigned');
    expect(await database.cancelOwn(customer, id, false)).toMatchObject({ outcome: 'cancelled' });
    expect(await credited(id)).toMatchObject([{ amountPaise: due(), reason: 'cancelled' }]);
  });

  test('when the shop cancels it after it was marked as shipped by mistake', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await send(database, id);
    await database.setFulfilment(id, 'packed');
    expect(await database.cancel(id)).toMatchObject({ outcome: 'cancelled' });
    expect(await credited(id)).toMatchObject([{ amountPaise: due(withAdvance) }]);
    const [refund] = await database.refundsOf(payment);
    await database.finishRefund(refund?.id ?? 0, 'rfnd_back');
    const amounts = (await credited(id)).map(({ amountPaise }) => amountPaise);
    // One at a time: a credit note depends on those before it.
    expect(amounts).toEqual([due(withAdvance)]);
    expect(advance + due(withAdvance)).toBe(cashSummary(one(), withAdvance).total);
  });
});

describe('a refund of an advance and its cash', () => {
  test('whose outcome nobody knows is tried again, and not made a second time from the cash', async () => {
    const { id, payment, advance } = await paid();
    expect(await database.requestRefund(id, advance)).toMatchObject({ outcome: 'refunding' });
    const [refund] = await database.refundsOf(payment);
    await database.query(
      'update public.refunds set attempts = 10, unanswered = 1 where id = $1',
      refund?.id,
    );
    await database.finishRefund(refund?.id ?? 0, null, 'no answer');
    expect(await refunds(id)).toMatchObject([{ state: 'failed' }]);
    expect(await database.requestRefund(id, advance)).toMatchObject({ outcome: 'refunding' });
    expect(await refunds(id)).toEqual([{ payment_id: payment, amount: advance, state: 'due' }]);
  });

  test('has no part below a rupee, which Razorpay refuses', async () => {
    const { id, payment, advance } = await paid();
    await database.requestRefund(id, advance - 50);
    expect(await database.requestRefund(id, due(withAdvance))).toMatchObject({
      outcome: 'refunding',
    });
    expect(await refunds(id)).toEqual([
      { payment_id: payment, amount: advance - 50, state: 'due' },
      { payment_id: `hand_${String(id)}`, amount: due(withAdvance), state: 'processed' },
    ]);
  });

  test('is told with what goes to the card, and what the shop pays back by hand', async () => {
    const { id, payment, advance } = await paid();
    await database.requestRefund(id, advance + due(withAdvance));
    const payload = refundNoticeSchema.parse(await payloadOf(id, 'refund_notice'));
    expect(payload).toMatchObject({ payment_id: payment, by_hand_paise: due(withAdvance) });
    const text = whenBack(payload);
    expect(text).toContain(`${formatRupees(advance)} usually arrives on the card`);
    expect(text).toContain(`We pay ${formatRupees(due(withAdvance))} back to you ourselves`);
  });

  test('is told in the same way when the order is cancelled before it is sent', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await confirm(database, id);
    await receive(database, id, due(withAdvance));
    expect(await database.cancel(id)).toMatchObject({ outcome: 'cancelled' });
    expect(await payloadOf(id, 'order_cancelled')).toMatchObject({
      payment_id: payment,
      amount_paise: advance + due(withAdvance),
      by_hand_paise: due(withAdvance),
    });
  });

  test('of another payment than the order’s own leaves the order paid', async () => {
    const order = await openAdvance(database, customer, one());
    await database.markPaid(order, newPaymentId(), { amount: order.online_paise });
    const second = newPaymentId();
    expect(await database.markPaid(order, second, { amount: order.online_paise })).toBe(
      'refund_due',
    );
    const [refund] = await database.refundsOf(second);
    await database.finishRefund(refund?.id ?? 0, 'rfnd_second');
    await send(database, order.id);
    await receive(database, order.id, due(withAdvance));
    expect(await orderOf(order.id)).toMatchObject({ payment_status: 'COMPLETED' });
  });

  test('counts whole for the admin who is asked for the password', async () => {
    const { id } = await reserveWithAdvance(database, customer, one());
    const session = await database.value<number>(
      `insert into public.admin_sessions (token_hash, password_fingerprint, expires_at)
       values (repeat('a', 64), repeat('b', 64), now() + interval '1 day') returning id::int`,
    );
    expect(
      await database.value('select public.allow_refund($1, $2, null, null, 1000)', session, id),
    ).toBe(false);
  });
});

describe('an advance that went back in Razorpay’s dashboard', () => {
  test('ends in a mail that says so, and not that nothing was paid', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await returnInDashboard(payment, advance);
    await database.cancel(id);
    const content = {
      order: await orderOf(id),
      payload: await payloadOf(id, 'cash_order_ended'),
      recipient: null,
    };
    const text = await textOf(letters['cash_order_ended']?.(content));
    expect(text).toContain(`Your advance of ${formatRupees(advance)} went back to you before.`);
  });

  test('stops the order before the shop confirms it', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await returnInDashboard(payment, advance);
    expect(await confirm(database, id)).toEqual({ outcome: 'refunded' });
  });

  test('does not stop an order whose cash is there', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await confirm(database, id);
    await receive(database, id, due(withAdvance));
    await returnInDashboard(payment, advance);
    expect(await database.setFulfilment(id, 'packed')).toEqual({ outcome: 'changed' });
  });

  test('is no income any more, also when it had been kept', async () => {
    const figure = async (): Promise<number> =>
      (await database.value<{ paise: number }>(`select public.sales_figures('month')`)).paise;
    const before = await figure();
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await send(database, id);
    await refuse(database, id);
    expect((await figure()) - before).toBe(advance);
    await returnInDashboard(payment, advance);
    expect((await figure()) - before).toBe(0);
  });
});

describe('a payment that comes late', () => {
  test.each(['while it is open', 'after it has ended'])(
    'of the same cart, ordered online later, is a purchase of its own: %s',
    async (when) => {
      const id = await reserve(database, customer, one());
      await send(database, id);
      await database.query(
        `update public.orders set created_at = now() - interval '10 days' where id = $1`,
        id,
      );
      const again = await database.placeOpen(customer, one());
      if (when === 'after it has ended') await database.release(again.id);
      await receive(database, id, due());
      expect(await database.markPaid(again)).toBe('paid');
    },
  );

  test('of a cart whose advance was paid after it was ordered online too is refunded', async () => {
    const cash = await openAdvance(database, customer, one());
    const online = await database.placeOpen(customer, one());
    expect(await database.markPaid(cash, newPaymentId(), { amount: cash.online_paise })).toBe(
      'paid',
    );
    expect(await database.markPaid(online)).toBe('refund_due');
    expect(await database.stockOf(ring)).toBe(4);
  });

  test('of an advance buys nothing for a customer who did not pay a parcel since', async () => {
    const order = await openAdvance(database, customer, one());
    await database.release(order.id);
    const chain = await database.addProduct({ price: 1_000, stock: 5 });
    const id = await reserve(database, customer, [{ product_id: chain, quantity: 1 }]);
    await send(database, id);
    await refuse(database, id);
    const options = { amount: order.online_paise, madeAt: inAnHour() };
    expect(await database.markPaid(order, newPaymentId(), options)).toBe('refund_due');
  });

  test('of an advance buys nothing that is sold paid online only by now', async () => {
    const order = await openAdvance(database, customer, one());
    await database.release(order.id);
    await database.query(
      `update public.products set attributes = '{"cash_on_delivery": "No"}' where id = $1`,
      ring,
    );
    const options = { amount: order.online_paise, madeAt: inAnHour() };
    expect(await database.markPaid(order, newPaymentId(), options)).toBe('refund_due');
  });

  test('of advances opens no more orders than an account may have', async () => {
    const orders = [];
    for (let count = 0; count < 4; count += 1) {
      const product = await database.addProduct({ price: 1_000, stock: 5 });
      orders.push(await openAdvance(database, customer, [{ product_id: product, quantity: 1 }]));
    }
    const outcomes = [];
    // The newest holds its products still, and is not late.
    for (const order of orders.slice(0, 3))
      outcomes.push(await database.markPaid(order, newPaymentId(), { amount: order.online_paise }));
    expect(outcomes).toEqual(['paid', 'paid', 'refund_due']);
  });
});

describe('the limits of open orders', () => {
  test('do not count the order that is ordered again, whatever its phone', async () => {
    const chain = await database.addProduct({ price: 1_000, stock: 5 });
    await reserve(database, customer, one());
    await reserve(database, customer, [{ product_id: chain, quantity: 1 }]);
    const again = await placeCash(database, customer, one(), { details: { phone: '98470 55555' } });
    expect(again.outcome).toBe('reserved');
  });

  test('do not count advances that were never paid', async () => {
    const network = '64:q 48:r';
    const options = { network, terms: withAdvance };
    const outcomes = [];
    for (const quantity of [1, 2, 3, 3])
      outcomes.push(
        (await placeCash(database, customer, [{ product_id: ring, quantity }], options)).outcome,
      );
    expect(outcomes).toEqual(['placed', 'placed', 'placed', 'reused']);
  });

  test('end with the third order of a week that the shop did not confirm', async () => {
    const last = await database.addProduct({ price: 1_000, stock: 2 });
    const outcomes = [];
    for (let day = 0; day < 5; day += 1) {
      const { outcome, reason, order } = await placeCash(database, customer, [
        { product_id: last, quantity: 1 },
      ]);
      outcomes.push(reason ?? outcome);
      if (!order) continue;
      await database.query(
        `update public.orders set hold_expires_at = now() - interval '1 second', created_at = created_at - interval '25 hours'
         where id = $1`,
        order.id,
      );
      await database.value('select public.end_unconfirmed_orders(100)');
    }
    expect(outcomes).toEqual(['reserved', 'reserved', 'reserved', 'open_orders', 'open_orders']);
  });

  test('do not begin anew when the account is deleted and made again', async () => {
    const outcomes: string[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const placed = await placeCash(database, customer, one(), { network: '64:n1 48:n1' });
      outcomes.push(placed.reason ?? placed.outcome);
      if (placed.order) await database.cancelOwn(customer, placed.order.id, false);
      await database.query('select public.delete_account($1)', customer);
      customer = await database.addCustomer();
    }
    expect(outcomes).toEqual(['reserved', 'reserved', 'reserved', 'open_orders', 'open_orders']);
  });
});

test('a key whose order has other terms of the advance by now is over', async () => {
  const key = crypto.randomUUID();
  expect((await placeCash(database, customer, one(), { key, terms: withAdvance })).outcome).toBe(
    'placed',
  );
  const terms = { ...sampleCash, advance: { percent: 30 } };
  expect((await placeCash(database, customer, one(), { key, terms })).outcome).toBe('expired');
});

test('a discount counts as given when the cash is there', async () => {
  const code = `CASH${String(Date.now()).slice(-8)}`;
  await database.query(
    `select public.create_discount(jsonb_build_object('code', $1::text, 'percent', 10, 'min_paise', 0, 'max_uses', 100,
      'first_day', current_date - 1, 'last_day', current_date + 30))`,
    code,
  );
  const id = await reserve(database, customer, one());
  await database.query(
    'update public.orders set discount_code = $2, discount_paise = 100 where id = $1',
    id,
    code,
  );
  await confirm(database, id);
  const uses = async (): Promise<unknown> =>
    (await database.value<Record<string, unknown>[]>('select public.list_discounts()')).find(
      (row) => row['code'] === code,
    );
  expect(await uses()).toMatchObject({ paid: 0, open: 1, given_paise: 0 });
  await receive(database, id, due());
  expect(await uses()).toMatchObject({ paid: 1, open: 0, given_paise: 100 });
});

describe('erasure', () => {
  test('leaves the reason of a credit note without a refund, which is the shop’s own', async () => {
    const id = await reserve(database, customer, one());
    await send(database, id);
    await refuse(database, id);
    await database.query(
      `select public.issue_credit_note(null, '{"reason": "Not accepted at the door", "cause": "refused"}', 0, $1)`,
      id,
    );
    await database.query('select public.delete_account($1)', customer);
    expect(
      await database.value(
        `select document ->> 'reason' from public.credit_notes where refused_order_id = $1`,
        id,
      ),
    ).toBe('Not accepted at the door');
  });

  test('takes the admin’s words about a refused parcel too', async () => {
    const id = await reserve(database, customer, one());
    await send(database, id);
    await refuse(database, id);
    await database.value('select public.delete_account($1)', customer);
    expect(
      await database.one(
        'select o.cancel_reason, r.reason from public.orders o join public.cash_refusals r on r.order_id = o.id where o.id = $1',
        id,
      ),
    ).toEqual({ cancel_reason: null, reason: '' });
  });

  test('of an address does not count an order as kept whose advance went back', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const owner = await database.addCustomer(email);
    const { id, payment } = await reserveWithAdvance(database, owner, one());
    await database.query('update public.orders set hold_expires_at = now() where id = $1', id);
    await database.value('select public.end_unconfirmed_orders(100)');
    const [refund] = await database.refundsOf(payment);
    await database.finishRefund(refund?.id ?? 0, 'rfnd_erased');
    expect(await database.value('select public.erase_address($1)', email)).toBe(0);
    expect(await orderOf(id)).toMatchObject({ customer_name: null });
  });
});
