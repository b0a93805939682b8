import { beforeEach, describe, expect, test } from 'vitest';
import { sqlCashTerms } from '#core/checkout/place-order.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { customerDetails, newPaymentId } from '#tests/database/support/shop-database.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import {
  confirm,
  endCashOrders,
  openAdvance,
  placeCash,
  refuse,
  reserve,
  reserveWithAdvance,
  send,
  withAdvance,
} from './cash-orders.ts';

/* What an order at the door promises: to the shop that has called its customer, and to other customers. */
const database = await useDatabase();

let customer = '';
let ring = '';
beforeEach(async () => {
  await endCashOrders(database);
  await database.run('delete from public.outbox where true');
  customer = await database.addCustomer();
  ring = await database.addProduct({ price: 1_000, stock: 50 });
});

const one = () => [{ product_id: ring, quantity: 1 }];
const alerts = (): Promise<string[]> =>
  database.column(
    `select payload ->> 'topic' from public.outbox where kind = 'admin_alert' order by id`,
  );

describe('the details of an order that the shop has called about', () => {
  const revisionOf = (id: number): Promise<string> =>
    database.value(`select updated_at::text from public.orders where id = $1`, id);
  const confirmAt = (id: number, revision: string): Promise<unknown> =>
    database.value('select public.confirm_cash_order($1, 5, $2::timestamptz)', id, revision);

  test('cannot change unseen: the change is recorded as the customer’s and told, and a confirmation of the old ones is refused', async () => {
    const id = await reserve(database, customer, one());
    const seen = await revisionOf(id);
    const details = { phone: '9847000002', address: 'Somewhere else' };
    const again = await placeCash(database, customer, one(), { details });
    expect(again).toMatchObject({ outcome: 'reserved', repeated: true });
    expect(
      await database.query(
        'select field, old_value, new_value, changed_by from public.order_changes where order_id = $1 order by field',
        id,
      ),
    ).toEqual([
      {
        field: 'customer_address',
        old_value: customerDetails.address,
        new_value: 'Somewhere else',
        changed_by: 'customer',
      },
      {
        field: 'customer_phone',
        old_value: customerDetails.phone,
        new_value: '9847000002',
        changed_by: 'customer',
      },
    ]);
    expect(await alerts()).toEqual(['cash_order_changed']);
    expect(await confirmAt(id, seen)).toEqual({ outcome: 'outdated' });
    expect(await confirmAt(id, await revisionOf(id))).toEqual({ outcome: 'confirmed' });
  });

  test('are told once a day, and not at all when the same order is placed again as it was', async () => {
    const id = await reserve(database, customer, one());
    await placeCash(database, customer, one());
    expect(await alerts()).toEqual([]);
    for (const address of ['First', 'Second'])
      await placeCash(database, customer, one(), { details: { address } });
    expect(await alerts()).toEqual(['cash_order_changed']);
    expect(
      await database.column(
        'select new_value from public.order_changes where order_id = $1 order by id',
        id,
      ),
    ).toEqual(['First', 'Second']);
  });

  test('are confirmed as they are by a site that names no revision', async () => {
    const id = await reserve(database, customer, one());
    await placeCash(database, customer, one(), { details: { address: 'Elsewhere' } });
    expect(await confirm(database, id)).toEqual({ outcome: 'confirmed' });
  });
});

test('a phone has no more open cash orders with an advance than without: the third advance is refunded', async () => {
  const orders = [];
  for (let index = 0; index < 3; index += 1)
    orders.push(await openAdvance(database, await database.addCustomer(), one()));
  const outcomes: unknown[] = [];
  for (const order of orders)
    outcomes.push(await database.markPaid(order, newPaymentId(), { amount: order.online_paise }));
  expect(outcomes).toEqual(['paid', 'paid', 'refund_due']);
  expect(
    await database.column('select reason from public.refunds where order_id = $1', orders[2]?.id),
  ).toEqual(['cash_order_ended']);
  expect(await database.stockOf(ring)).toBe(48);
});

test('an advance that comes in time is used although the product is sold paid online only since', async () => {
  const order = await openAdvance(database, customer, one());
  await database.query(
    `update public.products set attributes = '{"cash_on_delivery": "no"}' where id = $1`,
    ring,
  );
  expect(await database.markPaid(order, newPaymentId(), { amount: order.online_paise })).toBe(
    'paid',
  );
});

test('a refusal at the door is remembered for the phone of the recipient, as whose-ever number it is given', async () => {
  const details = { recipient_name: 'Meera', recipient_phone: '+91 98470 00077' };
  const id = await reserve(database, customer, one(), { details });
  await send(database, id);
  await refuse(database, id);
  const ask = async (other: Readonly<Record<string, string>>): Promise<string> => {
    const { outcome, reason = outcome } = await placeCash(
      database,
      await database.addCustomer(),
      one(),
      { details: other },
    );
    return reason;
  };
  const phone = '9847000001';
  expect([
    await ask({ phone, recipient_name: 'M', recipient_phone: '9847000077' }),
    await ask({ phone: '9847000077' }),
    await ask({ phone, recipient_name: 'M', recipient_phone: '9847000078' }),
  ]).toEqual(['refused', 'refused', 'reserved']);
});

test('a question about cash on delivery says nothing of a phone that no order of its account has had', async () => {
  const id = await reserve(database, customer, one());
  await send(database, id);
  await refuse(database, id);
  const offer = (account: string, phone: string): Promise<string | null> =>
    database.value(
      `select public.cash_offer($1, $2::uuid[], $3::jsonb, 105000, 'ip:a', $4::jsonb)`,
      ...[account, `{${ring}}`, JSON.stringify({ phone, postal_code: '682001' })],
      JSON.stringify(sqlCashTerms(sampleCash, null)),
    );
  const stranger = await database.addCustomer();
  expect(await offer(stranger, customerDetails.phone)).toBeNull();
  expect(await offer(stranger, '12345')).toBe('phone');
  expect(await offer(customer, customerDetails.phone)).toBe('refused');
  // The order itself is refused all the same.
  expect(await placeCash(database, stranger, one())).toEqual({
    outcome: 'no_cash',
    reason: 'refused',
  });
});

test('an advance that goes back because nobody answered counts as a lost fee, and the third order with one is refused', async () => {
  for (let round = 0; round < 2; round += 1) {
    const { id } = await reserveWithAdvance(database, customer, one());
    await database.query(`update public.orders set hold_expires_at = now() where id = $1`, id);
    await database.value('select public.end_unconfirmed_orders(100)');
  }
  const third = await placeCash(database, customer, one(), { terms: withAdvance });
  expect(third).toEqual({ outcome: 'no_cash', reason: 'refused' });
  expect(
    await database.value(
      `select count(*)::int from public.costs where effect = 'fee_lost' and scope = 'account'`,
    ),
  ).toBe(2);
});

test('the admin hears that mails are used up when that ends cash on delivery', async () => {
  await database.value('select public.note_sweep(12)');
  await database.run(
    `insert into public.costs (effect, scope) select 'cash_mail', 'all' from generate_series(1, 6)`,
  );
  expect(await placeCash(database, customer, one())).toEqual({
    outcome: 'no_cash',
    reason: 'no_mail',
  });
  expect(await alerts()).toEqual(['mails_used_up']);
  await database.value('select public.note_sweep(60)');
});

test('a parcel to be paid at the door gets a free replacement only once it is delivered, and is not refused while that waits', async () => {
  const id = await reserve(database, customer, one());
  await send(database, id);
  const report = async (): Promise<unknown> =>
    database.value(
      `select public.report_claim($1, 'The clasp is broken', '{}'::text[], 48) ->> 'outcome'`,
      id,
    );
  expect(await report()).toBe('not_possible');
  await database.setFulfilment(id, 'delivered');
  expect(await report()).toBe('reported');
  const replaced = await database.value<{ outcome: string }>(
    `select public.answer_claim($1, (public.read_claims($1) -> 0 ->> 'id')::bigint, gen_random_uuid(), 'replacement', '', null, $2::jsonb)`,
    id,
    JSON.stringify({ [ring]: 1 }),
  );
  expect(replaced).toMatchObject({ outcome: 'answered' });
  expect(await refuse(database, id)).toEqual({ outcome: 'replaced' });
  const replacement: number = await database.value(
    'select id::int from public.orders where replaces = $1',
    id,
  );
  expect(await database.cancel(replacement)).toMatchObject({ outcome: 'cancelled' });
  expect(await refuse(database, id)).toEqual({ outcome: 'refused' });
});

test('an advance is kept or goes back as the order’s own terms say, whatever the settings of today are', async () => {
  for (const [terms, returns, kept] of [
    [{ keeps_advance: true }, true, true],
    [{ keeps_advance: false }, false, false],
    [null, true, false],
    [null, false, true],
  ] as const) {
    await endCashOrders(database);
    const { id, advance } = await reserveWithAdvance(database, await database.addCustomer(), one());
    await database.query(
      'update public.orders set terms = $2::jsonb where id = $1',
      id,
      terms === null ? null : JSON.stringify(terms),
    );
    await send(database, id);
    expect(await refuse(database, id, { returns })).toEqual({ outcome: 'refused' });
    expect(
      await database.value('select kept_paise::int from public.orders where id = $1', id),
    ).toBe(kept ? advance : 0);
  }
});

test('the dialogs name as the advance that goes back what is still here', async () => {
  const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
  const left = (): Promise<number> =>
    database.value(`select (public.read_order($1) ->> 'advanceLeftPaise')::int`, id);
  expect(await left()).toBe(advance);
  // A part was given back in Razorpay's dashboard.
  await database.query(
    `insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason, state, razorpay_refund_id)
     values ($1, $2, 5000, 'refund_by_hand_1', 'made_at_razorpay', 'processed', 'rfnd_hand')`,
    ...[payment, id],
  );
  expect(await left()).toBe(advance - 5_000);
  await database.cancel(id);
  expect(await left()).toBe(0);
});
