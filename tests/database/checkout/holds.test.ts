import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type OpenOrder } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();

let ring = '';
let chain = '';
let customer = '';
beforeEach(async () => {
  customer = await database.addCustomer();
  ring = await database.addProduct({ stock: 3 });
  chain = await database.addProduct({ stock: 3 });
});

const lines = (quantity = 1) => [{ product_id: ring, quantity }];
/** Moves everything that happened to this customer's orders into the past. */
const wait = (minutes: number): Promise<unknown> =>
  database.query(
    `update public.orders set created_at = created_at - d, hold_expires_at = hold_expires_at - d,
     released_at = released_at - d, paid_at = paid_at - d, next_check_at = next_check_at - d
     from (select make_interval(mins => $2) as d) t where user_id = $1`,
    customer,
    minutes,
  );
const minutesLeft = (id: number): Promise<number> => {
  const sql =
    'select round(extract(epoch from hold_expires_at - now()) / 60)::int as minutes from public.orders where id = $1';
  return database.value(sql, id);
};

describe('a hold', () => {
  test('is of one cart at one total: its key with another cart of the same price, or another total, asks for a new key', async () => {
    const key = crypto.randomUUID();
    const { order: first } = await database.place(customer, lines(), { key });
    expect(await database.place(customer, [{ product_id: chain, quantity: 1 }], { key })).toEqual({
      outcome: 'expired',
    });
    expect(
      await database.place(customer, lines(), { key, expected: (first?.total_paise ?? 0) + 1 }),
    ).toEqual({ outcome: 'expired' });
    expect([await database.stockOf(ring), await database.stockOf(chain)]).toEqual([2, 3]);
  });

  test('is renewed by each press until 36 minutes of two hours are used, and then stays until its end', async () => {
    const first = await database.placeOpen(customer, lines());
    const left: number[] = [await minutesLeft(first.id)];
    for (let press = 0; press < 2; press += 1) {
      await wait(11);
      expect(await database.place(customer, lines())).toMatchObject({
        outcome: 'reused',
        order: { id: first.id },
      });
      left.push(await minutesLeft(first.id));
    }
    expect(left).toEqual([15, 15, 14]);
    await wait(8);
    expect((await database.place(customer, lines())).outcome).toBe('reused');
    expect(await minutesLeft(first.id)).toBe(6);
    await wait(2);
    // Less than five minutes are too few to pay in.
    expect(await database.place(customer, lines())).toMatchObject({
      outcome: 'wait',
      reason: 'minutes',
    });
    expect([await minutesLeft(first.id), await database.stockOf(ring)]).toEqual([4, 2]);
    expect(await database.markPaid(first)).toBe('paid');
    expect((await database.place(customer, lines())).outcome).toBe('placed');
  });

  test('at an old price is neither renewed nor given up by presses that are refused, and its end comes', async () => {
    const old = await database.placeOpen(customer, lines(3));
    await database.query('update public.products set price = 9000 where id = $1', ring);
    const outcomes = new Set<string>();
    for (let press = 0; press < 14; press += 1) {
      await wait(1);
      const { outcome } = await database.place(customer, lines(3), { expected: old.total_paise });
      outcomes.add(outcome);
    }
    expect([...outcomes]).toEqual(['price_changed']);
    expect([await minutesLeft(old.id), await database.stockOf(ring)]).toEqual([1, 0]);
    // At the new price it is the same product, held once.
    expect((await database.place(customer, lines(3))).outcome).toBe('placed');
    expect(await database.stockOf(ring)).toBe(0);
  });

  test('counts as the customer’s own when the stock is looked at, and stays when the new cart is refused', async () => {
    const first = await database.placeOpen(customer, lines(3));
    const both = [...lines(3), { product_id: chain, quantity: 4 }];
    expect(await database.place(customer, both)).toMatchObject({
      outcome: 'out_of_stock',
      items: [{ product_id: chain }],
    });
    expect(await database.orderRow(first.id)).toMatchObject({ hold_state: 'held' });
    expect(await database.stockOf(ring)).toBe(0);
  });
});

describe('an expired hold', () => {
  const held = (id: number) => database.orderRow(id);

  test('is free for the next customer at once, and its payment is still found by the sweep', async () => {
    const first = await database.placeOpen(customer, lines(3));
    await wait(15);
    const next = await database.addCustomer();
    expect((await database.place(next, lines(2))).outcome).toBe('placed');
    expect(await held(first.id)).toMatchObject({
      hold_state: 'released',
      release_reason: 'expired',
      status: 'PENDING',
    });
    expect(await database.stockOf(ring)).toBe(1);
    expect(
      await database.column(
        `select o ->> 'id' from public.orders_to_check(10, 60) o where (o ->> 'id')::int = $1`,
        first.id,
      ),
    ).toEqual([String(first.id)]);
    // The payment was made in time and reported late: the stock is gone, so the money goes back.
    const payment = newPaymentId();
    expect(
      await database.markPaid(first, payment, {
        madeAt: new Date(Date.now() - 14 * 60_000).toISOString(),
      }),
    ).toBe('refund_due');
    expect(await database.refundsOf(payment)).toMatchObject([{ amount: first.total_paise }]);
  });

  test('stays when nobody needs its stock, when the next order is refused, or when it has not expired', async () => {
    const first = await database.placeOpen(customer, lines(2));
    await wait(14);
    const next = await database.addCustomer();
    expect(await database.place(next, lines(2))).toMatchObject({ outcome: 'out_of_stock' });
    expect(await held(first.id)).toMatchObject({ hold_state: 'held' });
    await wait(1);
    expect((await database.place(next, lines(1))).outcome).toBe('placed');
    expect(await held(first.id)).toMatchObject({ hold_state: 'held' });
    const other = await database.addCustomer();
    expect(await database.place(other, lines(2), { expected: 1 })).toMatchObject({
      outcome: 'price_changed',
    });
    expect(await held(first.id)).toMatchObject({ hold_state: 'held' });
  });
});

describe('a customer who lets holds lapse', () => {
  const lapse = async (): Promise<string> => {
    const { outcome, order } = await database.place(customer, lines());
    if (!order) return outcome;
    await wait(16);
    await database.release(order.id);
    return outcome;
  };

  test('waits after holding stock for 36 minutes of two hours, sees until when, and others do not wait', async () => {
    // The third hold is the shorter rest of the 36 minutes.
    const outcomes = [await lapse(), await lapse(), await lapse(), await lapse()];
    expect(outcomes).toEqual(['placed', 'placed', 'placed', 'wait']);
    expect(await database.stockOf(ring)).toBe(3);
    expect((await database.place(await database.addCustomer(), lines())).outcome).toBe('placed');
    const { until } = await database.place(customer, lines());
    const minutes = Math.ceil((Date.parse(String(until)) - Date.now()) / 60_000);
    expect(minutes).toBeGreaterThan(70);
    await wait(minutes - 2);
    expect((await database.place(customer, lines())).outcome).toBe('wait');
    await wait(2);
    expect((await database.place(customer, lines())).outcome).toBe('placed');
  });

  test('is reported to the admin once a day', async () => {
    await database.run('truncate public.outbox');
    for (let count = 0; count < 5; count += 1) await lapse();
    expect(
      await database.query(`select payload from public.outbox where kind = 'admin_alert'`),
    ).toEqual([{ payload: { topic: 'stock_held', kind: 'minutes' } }]);
  });
});

describe('a payment', () => {
  const testKey = { keyId: 'rzp_test_1' };

  async function openWithKey(keyId: string): Promise<OpenOrder> {
    const order = await database.placeOpen(customer, lines());
    await database.query(
      'update public.orders set razorpay_key_id = $2 where id = $1',
      order.id,
      keyId,
    );
    return order;
  }

  test('a payment of a test key never pays an order of a live one, nor the other way round', async () => {
    const live = await openWithKey('rzp_live_1');
    expect(await database.markPaid(live, newPaymentId(), testKey)).toBe('other_mode');
    expect(await database.orderRow(live.id)).toMatchObject({
      status: 'PENDING',
      hold_state: 'held',
      payment_id: null,
    });
    expect(
      await database.query(
        'select 1 from public.payments where razorpay_order_id = $1',
        live.razorpay_order_id,
      ),
    ).toEqual([]);
    expect(await database.markPaid(live, newPaymentId(), { keyId: 'rzp_live_2' })).toBe('paid');
    const sandbox = await openWithKey('rzp_sandbox_1');
    expect(await database.markPaid(sandbox, newPaymentId(), { keyId: 'rzp_live_2' })).toBe(
      'other_mode',
    );
    expect(await database.markPaid(sandbox, newPaymentId(), testKey)).toBe('paid');
  });
});
