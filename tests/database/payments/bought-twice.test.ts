import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type OpenOrder } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();

let ring = '';
let customer = '';
beforeEach(async () => {
  customer = await database.addCustomer();
  ring = await database.addProduct({ stock: 3 });
});

const open = (code: string | null = null): Promise<OpenOrder> =>
  database.placeOpen(customer, [{ product_id: ring, quantity: 1 }], {
    code,
    ...(code === null ? {} : { expected: 92_124 }),
  });
/** The hold of the customer's first order ends without a payment, and they order the same cart again. */
async function openTwice(code: string | null = null): Promise<[OpenOrder, OpenOrder]> {
  const first = await open(code);
  await database.release(first.id);
  return [first, await open(code)];
}
const stateOf = async ({ id }: OpenOrder): Promise<string> => {
  const { status, payment_status: payment, hold_state: hold } = await database.orderRow(id);
  return [status, payment, hold].join(' ');
};
const mailsOf = ({ id }: OpenOrder): Promise<unknown> =>
  database.query(
    `select kind, payload ->> 'reason' as reason from public.outbox where order_id = $1 order by kind`,
    id,
  );
const problemsOf = (payment: string): Promise<unknown[]> =>
  database.query('select kind from private.payment_problems() where payment_id = $1', payment);
const cancel = (id: number): Promise<unknown> =>
  database.query(`select public.cancel_order($1, gen_random_uuid(), 'damaged', true)`, id);

describe('one cart in two orders, the first of which is paid late,', () => {
  test('is sold once: the second order ends, and its payment is refunded without anyone’s help', async () => {
    const [first, second] = await openTwice();
    expect(await database.markPaid(first)).toBe('paid');
    expect([await stateOf(first), await stateOf(second), await database.stockOf(ring)]).toEqual([
      'COMPLETED COMPLETED taken',
      'FAILED FAILED released',
      2,
    ]);

    const payment = newPaymentId();
    expect(await database.markPaid(second, payment)).toBe('refund_due');
    expect(await database.markPaid(second, payment)).toBe('refund_due');
    expect([await stateOf(second), await database.stockOf(ring)]).toEqual([
      'FAILED REFUND_DUE released',
      2,
    ]);
    const refunds = 'select amount_paise, reason, state from public.refunds where payment_id = $1';
    expect(await database.query(refunds, payment)).toEqual([
      { amount_paise: second.total_paise, reason: 'bought_twice', state: 'due' },
    ]);
    expect(await mailsOf(second)).toEqual([
      { kind: 'refund_alert', reason: 'bought_twice' },
      { kind: 'refund_notice', reason: 'bought_twice' },
    ]);
  });

  test('is sold to the first payment even when the second order holds the last unit and the last use of the code', async () => {
    await database.query('update public.products set stock = 1 where id = $1', ring);
    const code = `ONCE-${ring.slice(0, 8).toUpperCase()}`;
    await database.query(
      `select public.create_discount(jsonb_build_object('code', $1::text, 'percent', 10, 'min_paise', 0, 'first_day', '2020-01-01', 'last_day', '2022-12-31', 'max_uses', 1, 'max_per_shopper', 1))`,
      code,
    );
    await database.query(
      `update public.discount_codes set first_day = current_date - 1, last_day = current_date + 1 where code = $1`,
      code,
    );
    const [first, second] = await openTwice(code);
    expect(await database.markPaid(first)).toBe('paid');
    expect([await stateOf(first), await stateOf(second), await database.stockOf(ring)]).toEqual([
      'COMPLETED COMPLETED taken',
      'FAILED FAILED released',
      0,
    ]);
  });

  test('gives the hold of the second order back when that was not ended with the first payment', async () => {
    const [first, second] = await openTwice();
    expect(await database.markPaid(first)).toBe('paid');
    // The second order is placed while the first payment is recorded.
    await database.query(
      `update public.orders set hold_state = 'held', status = 'PENDING', payment_status = 'PENDING', release_reason = null where id = $1`,
      second.id,
    );
    await database.query('update public.products set stock = stock - 1 where id = $1', ring);
    expect(await database.markPaid(second)).toBe('refund_due');
    expect([await stateOf(second), await database.stockOf(ring)]).toEqual([
      'FAILED REFUND_DUE released',
      2,
    ]);
  });

  test('is bought a second time when the customer orders it after the first payment', async () => {
    const [first] = await openTwice();
    expect(await database.markPaid(first)).toBe('paid');
    const again = await open();
    expect(await database.markPaid(again)).toBe('paid');
    expect(await database.stockOf(ring)).toBe(1);
  });

  test('leaves another customer’s order, and the customer’s order of another cart, alone', async () => {
    const first = await open();
    await database.release(first.id);
    const stranger = await database.openOrder(ring);
    const other = await database.placeOpen(customer, [{ product_id: ring, quantity: 2 }]);
    await database.query('update public.products set stock = stock + 1 where id = $1', ring);
    expect(await database.markPaid(first)).toBe('paid');
    expect([await database.markPaid(stranger), await database.markPaid(other)]).toEqual([
      'paid',
      'paid',
    ]);
  });
});

describe('a late payment of an order whose cart was bought again', () => {
  async function payLate(): Promise<{ first: OpenOrder; second: OpenOrder; late: string }> {
    const [first, second] = await openTwice();
    expect(await database.markPaid(second)).toBe('paid');
    const late = newPaymentId();
    expect(await database.markPaid(first, late)).toBe('duplicate_purchase');
    return { first, second, late };
  }

  test('waits for the admin, and one press refunds it', async () => {
    const { first, late } = await payLate();
    expect(await database.markPaid(first, late)).toBe('duplicate_purchase');
    expect([await database.stockOf(ring), (await database.orderRow(first.id))['status']]).toEqual([
      2,
      'FAILED',
    ]);
    const found = await database.one(
      `select kind, refundable, order_id from private.payment_problems() where payment_id = $1`,
      late,
    );
    expect(found).toEqual({ kind: 'duplicate', refundable: true, order_id: first.id });

    const sql = `select public.refund_payment($1, gen_random_uuid()) ->> 'outcome' as outcome`;
    expect(await database.value(sql, late)).toBe('refunding');
    expect(
      await database.query(
        'select amount_paise, reason from public.refunds where payment_id = $1',
        late,
      ),
    ).toEqual([{ amount_paise: first.total_paise, reason: 'duplicate_purchase' }]);
    expect(await mailsOf(first)).toEqual([
      { kind: 'refund_alert', reason: 'duplicate_purchase' },
      { kind: 'refund_notice', reason: 'duplicate_purchase' },
    ]);
  });

  test('goes on waiting when the other order is cancelled: no comparison takes it', async () => {
    const { first, second, late } = await payLate();
    await cancel(second.id);
    expect((await database.orderRow(second.id))['fulfilment']).toBe('cancelled');
    expect(await database.markPaid(first, late)).toBe('duplicate_purchase');
    expect([await stateOf(first), await database.stockOf(ring)]).toEqual([
      'FAILED FAILED released',
      3,
    ]);
    expect(await problemsOf(late)).toEqual([{ kind: 'duplicate' }]);
    expect(await mailsOf(first)).toEqual([{ kind: 'refund_alert', reason: 'duplicate_purchase' }]);
  });
});
