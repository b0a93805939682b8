import { beforeEach, describe, expect, test } from 'vitest';
import { letters } from '#netlify/features/cash-on-delivery/letters.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId } from '#tests/database/support/shop-database.ts';
import {
  confirm,
  endCashOrders,
  openAdvance,
  refuse,
  reserveWithAdvance,
  send,
} from './cash-orders.ts';

/* Advances that a customer disputes with the bank. */
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
const dispute = (payment: string, amount: number, event = 'created'): Promise<unknown> =>
  database.query(
    `select public.record_dispute($1, $2, $3, $4)`,
    ...[payment, `disp_${payment}`, event, amount],
  );
const sent = (): Promise<string[]> =>
  database.column(`select row ->> 'payment_id' from public.claim_refunds(100, 60) row`);
const endPayload = (id: number): Promise<Record<string, unknown>> =>
  database.value(
    `select payload from public.outbox where order_id = $1 and kind = 'cash_order_ended'`,
    id,
  );

describe('an advance that is disputed', () => {
  test('is not returned by the customer’s own cancellation', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await dispute(payment, advance);
    expect(await database.cancelOwn(customer, id, false)).toMatchObject({ outcome: 'ask' });
  });

  test.each(['is not confirmed in time', 'is refused at the door', 'is cancelled by the shop'])(
    'waits for the bank when its order %s, and goes back only if the bank leaves it here',
    async (how) => {
      for (const event of ['won', 'lost']) {
        const buyer = await database.addCustomer();
        const { id, payment, advance } = await reserveWithAdvance(database, buyer, one());
        await dispute(payment, advance);
        if (how === 'is refused at the door') {
          await send(database, id);
          await refuse(database, id, { returns: true });
        } else if (how === 'is cancelled by the shop') await database.cancel(id);
        else {
          await database.query(
            'update public.orders set hold_expires_at = now() where id = $1',
            id,
          );
          await database.value('select public.end_unconfirmed_orders(100)');
        }
        expect(await database.orderRow(id)).toMatchObject({ hold_state: 'released' });
        const order = await database.value<Record<string, unknown>>(
          'select to_jsonb(o) from public.orders o where id = $1',
          id,
        );
        const content = { order, payload: await endPayload(id), recipient: null };
        const mail = letters['cash_order_ended']?.(content) as { text: string };
        expect(mail.text).toContain('a bank decides about it first');
        expect(await sent()).not.toContain(payment);
        await dispute(payment, advance, event);
        expect((await sent()).includes(payment)).toBe(event === 'won');
        await endCashOrders(database);
      }
    },
  );

  test('and which the bank gave back ends in a mail that says so, and stops the order before it is confirmed', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await dispute(payment, advance, 'lost');
    expect(await confirm(database, id)).toEqual({ outcome: 'refunded' });
    await database.cancelOwn(customer, id, false);
    expect(await database.refundsOf(payment)).toEqual([]);
    expect(await endPayload(id)).toMatchObject({
      returned_paise: 0,
      returned_before_paise: advance,
    });
  });

  test('and was kept of a refused parcel counts as sold no longer once the bank gave it back', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await send(database, id);
    await refuse(database, id, { returns: false });
    const kept = (): Promise<number> =>
      database.value('select kept_paise::int from public.orders where id = $1', id);
    expect(await kept()).toBe(advance);
    await dispute(payment, advance);
    await dispute(payment, advance, 'lost');
    expect(await kept()).toBe(0);
    expect(await database.orderRow(id)).toMatchObject({ payment_status: 'REFUNDED' });
  });

  test('makes the invoice of a refused parcel wait, whose one credit note then has all of it', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await send(database, id);
    await database.assignInvoice(id);
    await dispute(payment, advance);
    await refuse(database, id, { returns: true });
    const due = (): Promise<{ amountPaise: number }[]> =>
      database.column('select public.credit_notes_due(10, $1)', id);
    expect(await due()).toEqual([]);
    await dispute(payment, advance, 'lost');
    const total = await database.value<number>(
      'select total_paise::int from public.orders where id = $1',
      id,
    );
    expect(await due()).toMatchObject([{ amountPaise: total }]);
  });

  test('only after the credit note of its cash has another one', async () => {
    const { id, payment, advance } = await reserveWithAdvance(database, customer, one());
    await send(database, id);
    await database.assignInvoice(id);
    await refuse(database, id, { returns: false });
    const due = (): Promise<{ amountPaise: number; reason: string }[]> =>
      database.column('select public.credit_notes_due(10, $1)', id);
    const [cash] = await due();
    expect(cash?.reason).toBe('refused');
    await database.value(`select public.issue_credit_note(null, '{}', 0, $1)`, id);
    expect(await due()).toEqual([]);
    await dispute(payment, advance, 'lost');
    expect(await due()).toMatchObject([{ amountPaise: advance, reason: 'lost' }]);
    const total = await database.value<number>(
      'select total_paise::int from public.orders where id = $1',
      id,
    );
    expect((cash?.amountPaise ?? 0) + advance).toBe(total);
  });

  test('and given back leaves the same cart to a payment of all of it', async () => {
    const advance = await openAdvance(database, customer, one());
    const whole = await database.placeOpen(customer, one());
    const payment = newPaymentId();
    await database.markPaid(advance, payment, { amount: advance.online_paise });
    await dispute(payment, advance.online_paise, 'lost');
    expect(await confirm(database, advance.id)).toEqual({ outcome: 'refunded' });
    expect(await database.markPaid(whole)).toBe('paid');
  });
});
