import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type OpenOrder } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();

let order: OpenOrder;
let payment = '';
beforeEach(async () => {
  const ring = await database.addProduct({ stock: 3 });
  order = await database.openOrder(ring);
  payment = newPaymentId();
  await database.markPaid(order, payment);
});

const record = (
  refund: string,
  amount: number,
  status = 'processed',
  receipt: string | null = null,
) =>
  database.value(
    'select public.record_refund($1, $2, $3, $4, $5)',
    ...[payment, refund, amount, status, receipt],
  );
const request = (amount: number): Promise<unknown> => database.requestRefund(order.id, amount);
const refunds = (): Promise<Record<string, unknown>[]> =>
  database.query(
    'select amount_paise, state, razorpay_refund_id, unanswered from public.refunds where payment_id = $1 order by id',
    payment,
  );
const dueNow = (): Promise<unknown> =>
  database.query(
    'update public.refunds set next_attempt_at = now() where payment_id = $1',
    payment,
  );
const claimed = (): Promise<{ id: number; idempotency_key: string }[]> =>
  database.column(
    "select row from public.claim_refunds(100, 60) row where row ->> 'payment_id' = $1",
    payment,
  );
const claim = async (): Promise<{ id: number; idempotency_key: string }> => {
  await dueNow();
  const [refund] = await claimed();
  if (!refund) throw new Error('Nothing to claim');
  return refund;
};
const problems = (): Promise<unknown[]> =>
  database.query(
    'select kind, amount_paise, refundable from private.payment_problems() where payment_id = $1',
    payment,
  );
const alerts = (): Promise<unknown[]> =>
  database.column(
    `select coalesce(payload ->> 'event', payload ->> 'topic') from public.outbox where order_id = $1 and kind = 'admin_alert' order by id`,
    order.id,
  );

describe('a refund made in the dashboard', () => {
  test('of the whole payment stops the shipping, and the admin is notified once', async () => {
    expect(await database.orderRow(order.id)).toMatchObject({ stage: 'to_pack' });
    for (let time = 0; time < 2; time += 1)
      expect(await record('rfnd_1', order.total_paise)).toEqual({
        outcome: 'recorded',
        state: 'processed',
      });
    expect(await refunds()).toMatchObject([
      { amount_paise: order.total_paise, state: 'processed' },
    ]);
    expect(await database.orderRow(order.id)).toMatchObject({
      payment_status: 'REFUNDED',
      stage: 'other',
    });
    expect(await alerts()).toEqual(['refund_made_at_razorpay']);
    expect(await request(100)).toEqual({ outcome: 'too_much', left_paise: 0 });
  });

  test('of a part leaves the rest to refund; one still pending counts too', async () => {
    await record('rfnd_2', 10_000);
    await record('rfnd_3', 20_000, 'pending');
    expect(await database.orderRow(order.id)).toMatchObject({
      payment_status: 'PARTIALLY_REFUNDED',
    });
    expect(await request(order.total_paise)).toEqual({
      outcome: 'too_much',
      left_paise: order.total_paise - 30_000,
    });
    await record('rfnd_3', 20_000, 'failed');
    expect(await request(order.total_paise - 10_000)).toEqual({ outcome: 'refunding' });
  });

  /** The refund of the whole sum, which failed because a part of it had gone back. */
  const failures = {
    'a second payment': async () => {
      payment = newPaymentId();
      await database.markPaid(order, payment);
      const { id } = await claim();
      await database.query('update public.refunds set attempts = 10 where id = $1', id);
      await record(`rfnd_part_${payment}`, 10_000);
      await database.finishRefund(id, null, 'refused BAD_REQUEST_ERROR');
    },
    'a cancelled order': async () => {
      await database.cancel(order.id);
      await database.finishRefund((await claim()).id, `rfnd_${payment}`, 'failed at Razorpay');
      await record(`rfnd_part_${payment}`, 10_000);
    },
  };
  test.each(Object.entries(failures))(
    'of a part of %s leaves the rest with the admin, who sends it back',
    async (_name, fail) => {
      await fail();
      const rest = order.total_paise - 10_000;
      expect(await problems()).toEqual([
        { kind: 'refund_failed', amount_paise: rest, refundable: true },
      ]);
      const sendAgain = (): Promise<unknown> =>
        database.value('select public.refund_payment($1, gen_random_uuid())', payment);
      expect(await sendAgain()).toEqual({ outcome: 'refunding' });
      const again = await claim();
      // Under the first key Razorpay would refuse it again.
      expect(again.idempotency_key).not.toBe(`refund_${payment}`);
      await database.finishRefund(again.id, `rfnd_again_${payment}`);
      expect(await refunds()).toMatchObject([
        { amount_paise: rest, state: 'processed' },
        { amount_paise: 10_000, state: 'processed' },
      ]);
      expect(await problems()).toEqual([]);
      expect(await sendAgain()).toEqual({ outcome: 'nothing' });
    },
  );

  test('of the whole payment ends the shop’s own refund that was never sent, without an alarm', async () => {
    await request(10_000);
    await record('rfnd_20', order.total_paise);
    expect(await refunds()).toMatchObject([
      { amount_paise: 10_000, state: 'failed' },
      { amount_paise: order.total_paise, state: 'processed' },
    ]);
    expect([await claimed(), await problems()]).toEqual([[], []]);
    const alarm = `select 1 from public.outbox where order_id = $1 and payload ->> 'reason' = 'refund_failed'`;
    expect(await database.query(alarm, order.id)).toEqual([]);
  });

  test('of a payment that the shop does not know changes nothing', async () => {
    payment = newPaymentId();
    expect(await record('rfnd_9', 100)).toEqual({ outcome: 'unknown_payment' });
  });
});

describe('a refund of the shop', () => {
  test('is found by its receipt when the answer was lost', async () => {
    await request(10_000);
    const { id, idempotency_key: key } = await claim();
    await database.finishRefund(id, null, 'unreachable none');
    expect(await record('rfnd_4', 10_000, 'processed', key)).toEqual({
      outcome: 'recorded',
      state: 'processed',
    });
    expect(await refunds()).toEqual([
      { amount_paise: 10_000, state: 'processed', razorpay_refund_id: 'rfnd_4', unanswered: 0 },
    ]);
  });

  test('whose first answer was lost counts as perhaps made, whatever the later answers were, until Razorpay is looked at', async () => {
    await request(50_000);
    const refusals = Array.from({ length: 9 }, () => 'refused BAD_REQUEST_ERROR');
    for (const error of ['unreachable none', ...refusals])
      await database.finishRefund((await claim()).id, null, error);
    expect(await refunds()).toMatchObject([{ state: 'failed', unanswered: 1 }]);
    expect(await request(order.total_paise)).toMatchObject({
      outcome: 'too_much',
      left_paise: order.total_paise - 50_000,
    });
    await dueNow();
    const { id } = await database.value<{ id: number }>(
      `select row from public.refunds_to_poll(10) row where row ->> 'payment_id' = $1`,
      payment,
    );
    await database.query('select public.clear_unanswered_refund($1)', id);
    expect(await request(order.total_paise)).toEqual({ outcome: 'refunding' });
  });

  test('that Razorpay works on is queried after ten minutes, and not twice at once', async () => {
    await request(10_000);
    const { id } = await claim();
    await database.query(`select public.finish_refund($1, 'rfnd_5', null, false)`, id);
    const polled = (): Promise<unknown[]> =>
      database.column(
        `select row ->> 'razorpay_refund_id' from public.refunds_to_poll(10) row where row ->> 'payment_id' = $1`,
        payment,
      );
    expect(await polled()).toEqual([]);
    await dueNow();
    expect([await polled(), await polled()]).toEqual([['rfnd_5'], []]);
  });
});

test('a dispute is stored with its payment, reported once per event, and ends', async () => {
  const dispute = (event: string): Promise<unknown> =>
    database.value('select public.record_dispute($1, $2, $3, 100)', payment, 'disp_1', event);
  expect(await dispute('created')).toEqual({ outcome: 'recorded' });
  expect(await dispute('created')).toEqual({ outcome: 'old' });
  expect(await problems()).toMatchObject([{ kind: 'dispute' }]);
  await dispute('won');
  // A message of Razorpay's that comes late.
  expect(await dispute('created')).toEqual({ outcome: 'old' });
  expect(await problems()).toEqual([]);
  expect(await alerts()).toEqual(['created', 'won']);
});

describe('a comparison with Razorpay', () => {
  const compare = async (theirs: object[]): Promise<unknown[]> =>
    (
      await database.column<Record<string, unknown>>(
        `select row from public.compare_payments($1::jsonb) row`,
        JSON.stringify(theirs),
      )
    ).map((row) => [row['kind'], row['payment_id'], row['is_ours']]);
  /** The payment, if it is recorded and no list of Razorpay had it. */
  const unlisted = async (keyId = 'rzp_test_1'): Promise<string[]> => {
    const run = await database.value<number>(
      `insert into public.reconciliations (from_at, to_at) values (now() - interval '1 hour', now() + interval '1 minute') returning id`,
    );
    const sql = `select public.unlisted_payments($1, $2, 1000) ->> 'payment_id'`;
    return (await database.column<string>(sql, run, keyId)).filter((id) => id === payment);
  };
  const theirs = (change: object = {}): object => ({
    id: payment,
    order_id: order.razorpay_order_id,
    amount: order.total_paise,
    amount_refunded: 0,
    ...change,
  });

  test('finds nothing when both agree', async () => {
    expect(await compare([theirs()])).toEqual([]);
    await record('rfnd_6', 10_000);
    expect(await compare([theirs({ amount_refunded: 10_000 })])).toEqual([]);
    // A pending refund is in Razorpay's sum or is not.
    await record('rfnd_7', 5_000, 'pending');
    expect(await compare([theirs({ amount_refunded: 10_000 })])).toEqual([]);
    expect(await compare([theirs({ amount_refunded: 15_000 })])).toEqual([]);
  });

  test('names what is missing here and there, and other sums', async () => {
    expect(await compare([])).toEqual([]);
    expect(await unlisted()).toEqual([payment]);
    expect(await compare([theirs(), theirs({ id: 'pay_unknown' })])).toEqual([
      ['not_recorded', 'pay_unknown', true],
    ]);
    expect(await unlisted()).toEqual([]);
    expect(
      await compare([theirs(), theirs({ id: 'pay_foreign', order_id: 'order_foreign' })]),
    ).toEqual([['not_recorded', 'pay_foreign', false]]);
    expect(await compare([theirs({ amount: 1 })])).toEqual([['amount_differs', payment, true]]);
    expect(await compare([theirs({ amount_refunded: 500 })])).toEqual([
      ['refunds_differ', payment, true],
    ]);
  });

  test('misses no test payment once the shop has live keys', async () => {
    await database.query(
      `update public.orders set razorpay_key_id = 'rzp_test_1' where id = $1`,
      order.id,
    );
    expect(await unlisted('rzp_live_1')).toEqual([]);
    expect(await unlisted('rzp_test_2')).toEqual([payment]);
  });

  const next = (): Promise<Record<string, unknown> | null> =>
    database.value('select public.next_reconciliation()');
  const finish = async (differences: object[] = []): Promise<void> => {
    const run = await next();
    await database.query(
      'select public.advance_reconciliation($1, $2, $3, null, 0, 1, $4::jsonb)',
      run?.['id'],
      run?.['step'],
      run?.['skip'],
      JSON.stringify(differences),
    );
  };

  test('is due once a day, and when Razorpay answers again after an outage', async () => {
    const note = (reachable: boolean): Promise<unknown> =>
      database.query('select public.note_provider($1)', reachable);
    await database.query('delete from public.reconciliations where id > 0');
    expect(await next()).not.toBeNull();
    await finish();
    expect(await next()).toBeNull();
    await note(true);
    expect(await next()).toBeNull();
    await note(false);
    await note(false);
    expect(await next()).toBeNull();
    await note(true);
    expect(await next()).not.toBeNull();
    await finish([
      { kind: 'not_at_razorpay', payment_id: payment, amount_paise: 100, settled: null },
    ]);
    expect(await next()).toBeNull();
    expect(await problems()).toMatchObject([{ kind: 'difference' }]);
    await database.query(
      `update public.reconciliations set finished_at = finished_at - interval '25 hours' where finished_at is not null`,
    );
    expect(await next()).not.toBeNull();
    await finish();
  });

  test('goes on where it stopped, and begins where the last one ended when that is long ago', async () => {
    await database.query('delete from public.reconciliations where id > 0');
    const first = await next();
    expect(first).toMatchObject({ step: 'payments', skip: 0 });
    expect(Number(first?.['to']) - Number(first?.['from'])).toBe(6 * 24 * 3600);
    const advance = (skip: number): Promise<unknown> =>
      database.value(
        `select public.advance_reconciliation($1, 'payments', $2, 'payments', $2 + 100, 3, '[]') as moved`,
        first?.['id'],
        skip,
      );
    expect([await advance(0), await advance(0)]).toEqual([true, false]);
    expect(await next()).toEqual({ ...first, skip: 100 });
    await finish();
    await database.query(
      `update public.reconciliations set from_at = from_at - interval '30 days', to_at = to_at - interval '30 days',
       finished_at = finished_at - interval '30 days' where id > 0`,
    );
    const second = await next();
    expect(Number(second?.['from'])).toBe(Number(first?.['to']) - 30 * 24 * 3600);
    await finish();
  });
});
