import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { advanceOf, type CashTerms } from '#domain/sums/payment-way.ts';
import { sqlCashTerms } from '#core/checkout/place-order.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
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

/* Orders that are paid at the door, on PostgreSQL: who may have it, what is held and sold, and where each paisa is. */
const database = await useDatabase();

let customer = '';
let ring = '';
beforeEach(async () => {
  await endCashOrders(database);
  customer = await database.addCustomer();
  ring = await database.addProduct({ price: 1_000, stock: 5 });
});

const one = () => [{ product_id: ring, quantity: 1 }];
const due = (terms: CashTerms = sampleCash): number => cashSummary(one(), terms).cash?.due ?? 0;
const stateOf = (id: number): Promise<Record<string, unknown>> =>
  database.one(
    `select status, payment_status, hold_state, stage, fulfilment, cash_paise::int as cash, payment_method, kept_paise::int as kept
     from public.orders where id = $1`,
    id,
  );
const mailsOf = (id: number): Promise<string[]> =>
  database.column('select kind from public.outbox where order_id = $1 order by id', id);
const endUnconfirmed = (): Promise<number> =>
  database.value('select public.end_unconfirmed_orders(100)');
const lapse = (id: number): Promise<unknown> =>
  database.query(`update public.orders set hold_expires_at = now() where id = $1`, id);

describe('an order without an advance', () => {
  test('is reserved at once: nothing is paid, its stock waits, and customer and shop get a mail', async () => {
    const id = await reserve(database, customer, one());
    expect(await stateOf(id)).toMatchObject({
      status: 'PENDING',
      payment_status: 'PENDING',
      hold_state: 'reserved',
      stage: 'to_confirm',
      cash: due(),
      payment_method: 'cash',
    });
    expect(due()).toBe(105_000);
    expect(await database.stockOf(ring)).toBe(4);
    expect(await mailsOf(id)).toEqual(['cash_order_placed', 'order_notice']);
  });

  test('is sold when the shop confirms it, and cannot be packed before', async () => {
    const id = await reserve(database, customer, one());
    expect(await database.setFulfilment(id, 'packed')).toEqual({ outcome: 'not_confirmed' });
    expect(await confirm(database, id)).toEqual({ outcome: 'confirmed' });
    expect(await confirm(database, id)).toEqual({ outcome: 'already' });
    expect(await stateOf(id)).toMatchObject({
      status: 'PENDING',
      hold_state: 'taken',
      stage: 'to_pack',
    });
    expect(await database.setFulfilment(id, 'packed')).toEqual({ outcome: 'changed' });
    expect(await mailsOf(id)).toContain('cash_order_confirmed');
  });

  test('ends when the shop does not confirm it in time, and the customer hears', async () => {
    const id = await reserve(database, customer, one());
    expect(await endUnconfirmed()).toBe(0);
    await lapse(id);
    expect(await endUnconfirmed()).toBe(1);
    expect(await stateOf(id)).toMatchObject({
      status: 'FAILED',
      payment_status: 'FAILED',
      hold_state: 'released',
    });
    expect(await database.stockOf(ring)).toBe(5);
    expect(await mailsOf(id)).toContain('cash_order_ended');
    expect(await confirm(database, id)).toEqual({ outcome: 'ended' });
  });

  test('is the same order with the same key, or when the same cart is ordered again', async () => {
    const key = crypto.randomUUID();
    const first = await placeCash(database, customer, one(), { key });
    const again = await placeCash(database, customer, one(), { key });
    const other = await placeCash(database, customer, one());
    expect([first, again, other].map(({ outcome }) => outcome)).toEqual(Array(3).fill('reserved'));
    expect([again.order?.id, other.order?.id]).toEqual([first.order?.id, first.order?.id]);
    expect(await database.stockOf(ring)).toBe(4);
  });

  test('stays when the customer orders another cart, and is not paid online by one who changes the way', async () => {
    const id = await reserve(database, customer, one());
    const chain = await database.addProduct({ price: 2_000, stock: 1 });
    await database.placeOpen(customer, [{ product_id: chain, quantity: 1 }]);
    const now = await database.place(customer, one());
    expect(now.outcome).toBe('placed');
    expect(now.order?.id).not.toBe(id);
    expect(await stateOf(id)).toMatchObject({ hold_state: 'reserved' });
    expect(await database.stockOf(ring)).toBe(3);
  });

  test('a payment of the same cart that was begun before it sells nothing, and waits for the admin', async () => {
    const open = await database.placeOpen(customer, one());
    await reserve(database, customer, one());
    expect(await database.markPaid(open)).toBe('duplicate_purchase');
    expect(await database.stockOf(ring)).toBe(4);
  });

  test('is paid when its whole cash is there, once', async () => {
    const id = await reserve(database, customer, one());
    await send(database, id);
    expect(await receive(database, id, due() - 100)).toEqual({ outcome: 'too_little' });
    expect(await receive(database, id, due() + 100)).toEqual({ outcome: 'too_much' });
    expect(await receive(database, id, due())).toEqual({ outcome: 'received' });
    expect(await receive(database, id, due())).toEqual({ outcome: 'already' });
    expect(await receive(database, id, due(), 'UTR2')).toEqual({ outcome: 'paid_twice' });
    expect(await stateOf(id)).toMatchObject({
      status: 'COMPLETED',
      payment_status: 'COMPLETED',
      payment_method: 'cash',
    });
    expect(
      await database.query(
        `select payment_id, amount_paise::int as amount, state from public.payments where order_id = $1`,
        id,
      ),
    ).toEqual([{ payment_id: `hand_${String(id)}`, amount: due(), state: 'accepted' }]);
  });

  test('that has ended keeps its customer from no other order: it was no hold without a payment', async () => {
    const id = await reserve(database, customer, one());
    await database.query(
      `update public.orders set created_at = now() - interval '1 hour' where id = $1`,
      id,
    );
    await database.cancel(id);
    expect(await database.place(customer, one())).toMatchObject({ outcome: 'placed' });
  });

  test('cancelling it costs nothing and gives its stock back, by the shop and by the customer', async () => {
    const id = await reserve(database, customer, one());
    expect(await database.cancelOwn(customer, id, false)).toMatchObject({ outcome: 'cancelled' });
    const confirmed = await reserve(database, customer, one());
    await confirm(database, confirmed);
    expect(await database.cancel(confirmed)).toEqual({ outcome: 'cancelled' });
    for (const order of [id, confirmed]) {
      expect(await stateOf(order)).toMatchObject({
        status: 'FAILED',
        fulfilment: 'cancelled',
        hold_state: 'released',
      });
      expect(await mailsOf(order)).toContain('cash_order_ended');
    }
    expect(await database.stockOf(ring)).toBe(5);
    expect(
      await database.value(`select count(*)::int from public.costs where effect = 'fee_lost'`),
    ).toBe(0);
  });
});

describe('an order with an advance', () => {
  test('holds its stock while the advance is paid online, and is reserved by that payment', async () => {
    const order = await openAdvance(database, customer, one());
    expect(order.online_paise).toBe(21_000);
    expect(await stateOf(order.id)).toMatchObject({
      hold_state: 'held',
      stage: 'unpaid',
      cash: 84_000,
    });
    expect(await database.markPaid(order, 'pay_whole', { amount: order.total_paise })).toBe(
      'mismatch',
    );
    expect(await database.markPaid(order, 'pay_advance', { amount: 21_000 })).toBe('paid');
    expect(await database.markPaid(order, 'pay_advance', { amount: 21_000 })).toBe('already_paid');
    expect(await database.markPaid(order, 'pay_again', { amount: 21_000 })).toBe('refund_due');
    expect(await stateOf(order.id)).toMatchObject({
      status: 'PENDING',
      hold_state: 'reserved',
      stage: 'to_confirm',
    });
  });

  test('ends unpaid as any other when the advance is not paid', async () => {
    const { id } = await openAdvance(database, customer, one());
    expect(await database.release(id)).toBe('released');
    expect(await stateOf(id)).toMatchObject({ status: 'FAILED', hold_state: 'released' });
    expect(await database.stockOf(ring)).toBe(5);
  });

  test('is reserved by an advance that comes late, while there is stock', async () => {
    const order = await openAdvance(database, customer, one());
    await database.release(order.id);
    expect(await database.markPaid(order, 'pay_late', { amount: order.online_paise })).toBe('paid');
    expect(await stateOf(order.id)).toMatchObject({
      status: 'PENDING',
      payment_status: 'PENDING',
      hold_state: 'reserved',
    });
    expect(await database.stockOf(ring)).toBe(4);
  });

  test('gets its advance back when the shop does not confirm it', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await lapse(id);
    await endUnconfirmed();
    expect(await stateOf(id)).toMatchObject({
      status: 'FAILED',
      payment_status: 'REFUND_DUE',
      kept: 0,
    });
    const [refund] = await database.refundsOf(payment);
    expect(refund).toMatchObject({ amount: advance, state: 'due' });
    // Who ended it decides who pays for refunds of it, and whether a mail about the cart follows.
    expect(await database.value('select ended_by from public.orders where id = $1', id)).toBe(
      'shop',
    );
    await database.finishRefund(refund?.id ?? 0, 'rfnd_1');
    expect(await stateOf(id)).toMatchObject({ status: 'FAILED', payment_status: 'REFUNDED' });
  });

  test('gets its advance back when it is cancelled, which counts as a lost fee of the customer', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    expect(await database.cancelOwn(customer, id, false)).toMatchObject({ outcome: 'cancelled' });
    expect(await database.refundsOf(payment)).toMatchObject([{ amount: advance, state: 'due' }]);
    expect(
      await database.value(
        `select count(*)::int from public.costs where effect = 'fee_lost' and scope = 'account'`,
      ),
    ).toBe(1);
  });

  test('keeps or returns the advance when the parcel is refused, by the rule of the shop', async () => {
    const kept = await reserveWithAdvance(database, customer, one());
    await send(database, kept.id);
    expect(await refuse(database, kept.id)).toEqual({ outcome: 'refused' });
    expect(await stateOf(kept.id)).toMatchObject({
      fulfilment: 'cancelled',
      payment_status: 'FAILED',
      kept: kept.advance,
    });
    expect(await database.refundsOf(kept.payment)).toEqual([]);
    const other = await database.addCustomer();
    await database.run('delete from public.cash_refusals where true');
    const back = await reserveWithAdvance(database, other, one());
    await send(database, back.id);
    await refuse(database, back.id, { returns: true });
    expect(await database.refundsOf(back.payment)).toMatchObject([
      { amount: back.advance, state: 'due' },
    ]);
    expect(await database.stockOf(ring)).toBe(5);
  });

  test('is paid in full by its cash while a refund of its advance has not left, and partly once it has', async () => {
    const states: unknown[] = [];
    for (const state of ['due', 'processed']) {
      await endCashOrders(database);
      const { id, payment } = await reserveWithAdvance(
        database,
        await database.addCustomer(),
        one(),
      );
      await send(database, id);
      // As the dashboard of Razorpay makes them.
      await database.query(
        `insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason, state)
         values ($1, $2, 5000, gen_random_uuid(), 'made_at_razorpay', $3)`,
        ...[payment, id, state],
      );
      expect(await receive(database, id, due(withAdvance))).toEqual({ outcome: 'received' });
      states.push((await stateOf(id))['payment_status']);
    }
    expect(states).toEqual(['COMPLETED', 'PARTIALLY_REFUNDED']);
  });

  test('has two payments when it is paid: a refund takes what one has, or a part of each, and never more', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await send(database, id);
    await receive(database, id, due(withAdvance));
    const total = advance + due(withAdvance);
    expect(await database.requestRefund(id, total + 1)).toMatchObject({
      outcome: 'too_much',
      left_paise: total,
    });
    expect(await database.requestRefund(id, 10_000)).toMatchObject({ outcome: 'refunding' });
    expect(await database.requestRefund(id, total - 10_000)).toMatchObject({
      outcome: 'refunding',
    });
    expect(await database.requestRefund(id, 100)).toMatchObject({
      outcome: 'too_much',
      left_paise: 0,
    });
    const sums = await database.query(
      `select payment_id, sum(amount_paise)::int as sum from public.refunds where order_id = $1 group by 1 order by 1`,
      id,
    );
    expect(sums).toEqual([
      { payment_id: `hand_${String(id)}`, sum: due(withAdvance) },
      { payment_id: payment, sum: advance },
    ]);
    for (const refund of await database.refundsOf(payment))
      await database.finishRefund(refund.id, `rfnd_${String(refund.id)}`);
    expect(await stateOf(id)).toMatchObject({ status: 'COMPLETED', payment_status: 'REFUNDED' });
  });
});

describe('a parcel that is refused at the door', () => {
  test('gives the stock back, and its invoice a credit note of the whole', async () => {
    const id = await reserve(database, customer, one());
    expect(await refuse(database, id)).toEqual({ outcome: 'not_sent' });
    await send(database, id);
    expect(await refuse(database, id)).toEqual({ outcome: 'refused' });
    expect(await refuse(database, id)).toEqual({ outcome: 'already' });
    expect(await receive(database, id, due())).toEqual({ outcome: 'refused' });
    expect(await database.stockOf(ring)).toBe(5);
    const note = () => database.query(`select public.credit_notes_due(10, $1) as due`, id);
    expect(await note()).toMatchObject([
      { due: { refundId: null, orderId: id, amountPaise: due(), items: { [ring]: 1 } } },
    ]);
    const issue = (): Promise<string> =>
      database.value(`select public.issue_credit_note(null, '{}', 0, $1) ->> 'outcome'`, id);
    expect([await issue(), await issue(), (await note()).length]).toEqual(['issued', 'already', 0]);
  });

  test('of which the cash is there cannot be refused any more, and nothing that was not sent for cash', async () => {
    const id = await reserve(database, customer, one());
    await confirm(database, id);
    expect(await refuse(database, id)).toEqual({ outcome: 'not_sent' });
    await send(database, id);
    await receive(database, id, due());
    expect(await refuse(database, id)).toEqual({ outcome: 'paid' });
    const cancelled = await reserve(database, customer, [{ product_id: ring, quantity: 2 }]);
    await database.cancelOwn(customer, cancelled, false);
    expect(await refuse(database, cancelled)).toEqual({ outcome: 'not_sent' });
    const imported = await database.value<number>(
      `insert into public.orders (merchant_transaction_id, status, payment_status, fulfilment, total_amount)
       values ('OLD-7', 'COMPLETED', 'COMPLETED', 'shipped', 500) returning id::int`,
    );
    expect(await refuse(database, imported)).toEqual({ outcome: 'not_sent' });
    expect(await receive(database, imported, 50_000)).toEqual({ outcome: 'not_sold' });
  });

  test('ends cash on delivery for its account and phone for a term, until the shop forgives it', async () => {
    const id = await reserve(database, customer, one());
    await send(database, id);
    await refuse(database, id);
    const other = await database.addCustomer();
    const again = async (who: string, details = {}): Promise<string> => {
      const { outcome, reason = outcome } = await placeCash(database, who, one(), { details });
      return reason;
    };
    const phone = '98470 99999';
    expect([await again(customer, { phone }), await again(other)]).toEqual(['refused', 'refused']);
    expect(await again(other, { phone })).toBe('reserved');
    await database.value('select public.forgive_cash_refusal($1)', id);
    expect(await again(customer)).toBe('reserved');
    await database.run(
      `update public.cash_refusals set forgiven_at = null, created_at = now() - interval '181 days'`,
    );
    expect(await again(await database.addCustomer())).toBe('reserved');
  });
});

test('an order is sold while it is confirmed, open, not cancelled and to be paid at the door', async () => {
  const id = await reserve(database, customer, one());
  await confirm(database, id);
  const soldWith = async (changes: string): Promise<boolean> => {
    await database.query(`update public.orders set ${changes} where id = $1`, id);
    return database.value('select sold from public.orders where id = $1', id);
  };
  expect(await soldWith('cash_paise = 1')).toBe(true);
  for (const [change, back] of [
    ['cash_paise = 0', 'cash_paise = 100'],
    [`hold_state = 'released'`, `hold_state = 'taken'`],
    [`status = 'FAILED'`, `status = 'PENDING'`],
    [`fulfilment = 'cancelled'`, `fulfilment = 'new'`],
  ] as const)
    expect([change, await soldWith(change), await soldWith(back)]).toEqual([change, false, true]);
});

test('the advance that the cart shows is the one of the database, to the paisa', async () => {
  const ofPercent = (total: number) => advanceOf(total, { advance: { percent: 1 } });
  expect([ofPercent(24_949), ofPercent(24_950)]).toEqual([200, 300]);
  const advance = fc.oneof(
    fc.constant({}),
    fc.record({ advance: fc.record({ percent: fc.integer({ min: 1, max: 90 }) }) }),
    fc.record({ advance: fc.record({ amount: fc.integer({ min: 100, max: 10_000_000 }) }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 200, max: 100_000_000 }), advance, async (total, chosen) => {
      const terms: CashTerms = { ...sampleCash, ...chosen };
      const sql = await database.value(
        'select private.cash_advance($1, $2::jsonb)::int',
        total,
        JSON.stringify(sqlCashTerms(terms, null)),
      );
      expect(sql).toBe(advanceOf(total, terms));
      expect(total - advanceOf(total, terms)).toBeGreaterThanOrEqual(100);
    }),
    {
      examples: [
        [24_949, { advance: { percent: 1 } }],
        [24_950, { advance: { percent: 1 } }],
        [10_000, { advance: { amount: 100 } }],
      ],
    },
  );
});
