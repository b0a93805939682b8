import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type OpenOrder } from '#tests/database/support/shop-database.ts';

/* What Razorpay tells of a dispute, and what follows from it: phase, term, and what was taken. */
const database = await useDatabase();
await database.allowRefunds();

let order: OpenOrder;
let payment = '';
beforeEach(async () => {
  const customer = await database.addCustomer();
  const ring = await database.addProduct({ stock: 3 });
  order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  payment = newPaymentId();
  await database.markPaid(order, payment);
});

interface Told {
  phase?: string | null;
  /** Hours from now. */
  hours?: number | null;
  deducted?: number;
}
/** What `record_dispute` answers to an event of the payment's one dispute. */
const dispute = async (
  event: string,
  { phase = 'chargeback', hours = 72, deducted = 0 }: Told = {},
): Promise<string> => {
  const { outcome } = await database.value<{ outcome: string }>(
    `select public.record_dispute($1, $2, $3, $4, $5, 'goods_not_received', now() + make_interval(hours => $6), $7)`,
    ...[payment, `disp_${payment}`, event, order.total_paise, phase, hours, deducted],
  );
  return outcome;
};
const sent = (): Promise<number[]> =>
  database.column(
    `select (row ->> 'amount_paise')::int from public.claim_refunds(100, 60) row where row ->> 'payment_id' = $1`,
    payment,
  );
const lost = (): Promise<number> =>
  database.value('select lost_paise::int from public.payments where payment_id = $1', payment);
const refundable = async (): Promise<number> =>
  (await database.value<{ refundablePaise: number }>('select public.read_order($1)', order.id))
    .refundablePaise;
/** The topics of the alerts about this payment. */
const alerts = (): Promise<string[]> =>
  database.column(
    `select payload ->> 'topic' from public.outbox where payload ->> 'payment_id' = $1 order by id`,
    payment,
  );
/** Lets hours pass for the dispute. */
const wait = (hours: number): Promise<unknown> =>
  database.query(
    `update public.payments set dispute_facts = jsonb_build_object($2::text, (dispute_facts -> $2) || jsonb_build_object(
       'respond_by', (dispute_facts -> $2 ->> 'respond_by')::timestamptz - make_interval(hours => $3),
       'at', (dispute_facts -> $2 ->> 'at')::timestamptz - make_interval(hours => $3)
     )) where payment_id = $1`,
    ...[payment, `disp_${payment}`, hours],
  );
const remind = async (): Promise<void> => {
  await database.value('select public.queue_dispute_reminders()');
};

describe('what a phase wants of the shop', () => {
  test('a fraud dispute is refunded by the shop, while it is open', async () => {
    await dispute('created', { phase: 'fraud' });
    await database.cancel(order.id);
    expect(await sent()).toEqual([order.total_paise]);
  });

  test.each(['retrieval', 'chargeback', 'pre_arbitration', 'arbitration', 'of tomorrow', null])(
    'a dispute in the phase %s is never refunded by the shop while it is open',
    async (phase) => {
      await dispute('created', { phase });
      await database.cancel(order.id);
      expect(await sent()).toEqual([]);
      await dispute('won', { phase });
      expect(await sent()).toEqual([order.total_paise]);
    },
  );

  test('a fraud dispute beside another one waits for the other', async () => {
    await dispute('created', { phase: 'fraud' });
    await database.value(
      `select public.record_dispute($1, 'disp_other', 'created', 100, 'chargeback')`,
      payment,
    );
    await database.cancel(order.id);
    expect(await sent()).toEqual([]);
  });
});

describe('what a dispute took', () => {
  test('is the amount that Razorpay names, else that of the dispute', async () => {
    await dispute('lost', { deducted: 4_000 });
    expect(await lost()).toBe(4_000);
    expect(await refundable()).toBe(order.total_paise - 4_000);
  });

  test('counts when a dispute is lost that was won before, once', async () => {
    await dispute('created');
    expect(await dispute('won')).toBe('recorded');
    expect(await dispute('under_review')).toBe('old');
    expect(await lost()).toBe(0);
    expect(await dispute('lost')).toBe('recorded');
    expect(await dispute('lost')).toBe('old');
    expect([await lost(), await refundable()]).toEqual([order.total_paise, 0]);
  });

  test('counts of a dispute that was won in part', async () => {
    await dispute('won', { deducted: 3_000 });
    expect(await lost()).toBe(3_000);
    await dispute('lost', { deducted: 5_000 });
    expect(await lost()).toBe(5_000);
  });

  test('a complaint that reaches its next phase is open again, and a late event of the phase before is not', async () => {
    await dispute('won');
    expect(await dispute('created', { phase: 'pre_arbitration' })).toBe('recorded');
    await database.cancel(order.id);
    expect(await sent()).toEqual([]);
    expect(await dispute('won', { phase: 'pre_arbitration' })).toBe('recorded');
    expect(await dispute('under_review', { phase: 'chargeback' })).toBe('old');
    expect(await sent()).toEqual([order.total_paise]);
  });
});

describe('the term of a dispute', () => {
  test('stands in the mail and on Today, with phase and reason', async () => {
    await dispute('created', { phase: 'pre_arbitration' });
    const payload = await database.value<Record<string, unknown>>(
      `select payload from public.outbox where payload ->> 'payment_id' = $1`,
      payment,
    );
    expect(payload).toMatchObject({
      topic: 'dispute',
      phase: 'pre_arbitration',
      reason: 'goods_not_received',
      respond_by: expect.any(String) as unknown,
    });
    const items = await database.value<{ paymentId: string }[]>(
      `select jsonb_agg(i) from jsonb_array_elements(public.read_today(5) #> '{money,items}') i where i ->> 'paymentId' = $1`,
      payment,
    );
    expect(items).toMatchObject([
      { kind: 'dispute', dispute: { phase: 'pre_arbitration', event: 'created' } },
    ]);
  });

  test('is told once more a day before, and once more of a new term', async () => {
    await dispute('created');
    await remind();
    expect(await alerts()).toEqual(['dispute']);
    await wait(50);
    await remind();
    await remind();
    expect(await alerts()).toEqual(['dispute', 'dispute_due']);
    // The bank gives another term for the same event.
    expect(await dispute('created', { hours: 20 })).toBe('old');
    await remind();
    expect(await alerts()).toEqual(['dispute', 'dispute_due', 'dispute_due']);
  });

  test.each(['under_review', 'won', 'lost', 'closed'])(
    'is not told when nothing is to be answered: %s',
    async (event) => {
      await dispute('created');
      await dispute(event);
      await wait(50);
      await remind();
      expect(await alerts()).toEqual(['dispute', 'dispute']);
    },
  );

  test('is not told when it is over, or when the first mail has just gone', async () => {
    await dispute('created', { hours: 20 });
    await remind();
    expect(await alerts()).toEqual(['dispute']);
    await wait(21);
    await remind();
    expect(await alerts()).toEqual(['dispute']);
  });

  test('of a dispute that an earlier version recorded is taken up with the next comparison', async () => {
    await database.value(
      'select public.record_dispute($1, $2, $3, $4)',
      ...[payment, `disp_${payment}`, 'created', order.total_paise],
    );
    expect(await dispute('created', { hours: 20 })).toBe('old');
    await wait(7);
    await remind();
    expect(await alerts()).toEqual(['dispute', 'dispute_due']);
  });
});
