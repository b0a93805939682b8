import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { eachRow } from '#tests/each-row.ts';

const database = await useDatabase();

let ring = '';
let customer = '';
beforeEach(async () => {
  await database.run('update public.orders set next_check_at = null');
  customer = await database.addCustomer();
  ring = await database.addProduct({ stock: 5 });
});

const rowsOf = (call: string): Promise<Record<string, unknown>[]> =>
  database.column(`select ${call} as row`);
const toCheck = (limit = 10): Promise<Record<string, unknown>[]> =>
  rowsOf(`public.orders_to_check(${String(limit)}, 60)`);
const due = (id: number): Promise<unknown> =>
  database.query(`update public.orders set next_check_at = now() where id = $1`, id);
const age = (id: number, by: string): Promise<unknown> =>
  database.query(
    `update public.orders set hold_expires_at = created_at - $2::interval, next_check_at = now() where id = $1`,
    id,
    by,
  );

describe('orders to check', () => {
  test('are those whose time has come, once in a lease, with what the sweep needs', async () => {
    const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 2 }]);
    expect(await toCheck()).toEqual([]);
    await due(order.id);
    expect(await toCheck()).toEqual([
      { id: order.id, razorpay_order_id: order.razorpay_order_id, holds_stock: true },
    ]);
    expect(await toCheck()).toEqual([]);
    await due(order.id);
    expect(await toCheck()).toMatchObject([{ id: order.id }]);
  });

  test('are never those that are paid, or being refunded', async () => {
    const paid = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
    await database.markPaid(paid);
    const late = await database.placeOpen(customer, [{ product_id: ring, quantity: 4 }]);
    await database.release(late.id);
    await database.query('update public.products set stock = 0 where id = $1', ring);
    expect(await database.markPaid(late)).toBe('refund_due');
    await database.query('update public.products set stock = 1 where id = $1', ring);
    const open = await database.openOrder(ring);
    await Promise.all([due(paid.id), due(late.id), due(open.id)]);
    expect(await toCheck()).toMatchObject([{ id: open.id }]);
  });

  test('of a product that was deleted meanwhile return its stock, for whoever restores it', async () => {
    const product = await database.addProduct({ stock: 3 });
    const held = await database.openOrder(product, 2);
    await database.query('update public.products set deleted_at = now() where id = $1', product);
    expect(await database.release(held.id)).toBe('released');
    expect(await database.stockOf(product)).toBe(3);
  });

  test('that never reached the provider are released and not returned', async () => {
    const { order } = await database.place(customer, [{ product_id: ring, quantity: 2 }]);
    await due(order?.id ?? 0);
    expect(await toCheck()).toEqual([]);
    expect(await database.orderRow(order?.id ?? 0)).toMatchObject({
      status: 'FAILED',
      payment_status: 'FAILED',
      hold_state: 'released',
      next_check_at: null,
    });
    expect(await database.stockOf(ring)).toBe(5);
  });

  test('that were given up for another cart come later and end without giving stock twice', async () => {
    const first = await database.placeOpen(customer, [{ product_id: ring, quantity: 5 }]);
    await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
    expect(await database.stockOf(ring)).toBe(4);
    // The customer may still be paying it in another tab.
    const row = await database.orderRow(first.id);
    expect(row).toMatchObject({ hold_state: 'released', release_reason: 'superseded' });
    expect(Date.parse(String(row['next_check_at']))).toBeGreaterThan(Date.now() + 14 * 60_000);
    await due(first.id);
    expect(await toCheck()).toMatchObject([{ id: first.id, holds_stock: false }]);
    expect(await database.orderRow(first.id)).toMatchObject({
      hold_state: 'released',
      status: 'PENDING',
    });
    expect(await database.release(first.id)).toBe('released');
    expect(await database.orderRow(first.id)).toMatchObject({
      status: 'FAILED',
      release_reason: 'expired',
    });
    expect(await database.stockOf(ring)).toBe(4);
  });

  test('wait twice as long each time the provider has no final answer, six hours at most', async () => {
    const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
    const waits: unknown[] = [];
    for (let check = 0; check < 10; check += 1) {
      await due(order.id);
      await toCheck();
      const sql =
        'select round(extract(epoch from next_check_at - now()) / 60)::int as minutes from public.orders where id = $1';
      waits.push(await database.value(sql, order.id));
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360]);
  });

  test('hold no stock a day after their hold, even if the provider never answers', async () => {
    const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 2 }]);
    await age(order.id, '25 hours');
    expect(await toCheck()).toMatchObject([{ id: order.id, holds_stock: false }]);
    expect(await database.stockOf(ring)).toBe(5);
    expect(await database.orderRow(order.id)).toMatchObject({
      hold_state: 'released',
      release_reason: 'no_answer',
      status: 'PENDING',
    });
    expect(await database.markPaid(order)).toBe('paid');
    expect(await database.stockOf(ring)).toBe(3);
  });
});

describe('release', () => {
  test('gives the stock back once and says that it was done before', async () => {
    const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 2 }]);
    expect([
      await database.release(order.id, 'payment_provider'),
      await database.release(order.id),
    ]).toEqual(['released', 'already']);
    expect(await database.orderRow(order.id)).toMatchObject({ release_reason: 'payment_provider' });
    expect(await database.stockOf(ring)).toBe(5);
  });

  test('release of an order asks again 15 minutes to 5 days after its last hold, later the older it is, and then no more', () =>
    eachRow(
      [
        ['1 minute', 15],
        ['20 minutes', 60],
        ['2 hours', 6 * 60],
        ['7 hours', 24 * 60],
        ['30 hours', 72 * 60],
        ['73 hours', 120 * 60],
        ['121 hours', null],
      ],
      async ([old, minutes]) => {
        const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
        await age(order.id, old);
        await database.release(order.id);
        const sql =
          'select round(extract(epoch from next_check_at - hold_expires_at) / 60)::int as minutes from public.orders where id = $1';
        expect(await database.value(sql, order.id)).toEqual(minutes);
      },
    ));

  test('never lifts the stock above its limit, when the owner has raised it meanwhile', async () => {
    const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 2 }]);
    await database.query('update public.products set stock = 99999 where id = $1', ring);
    expect(await database.release(order.id)).toBe('released');
    expect(await database.stockOf(ring)).toBe(100_000);
  });
});

test('the order id of the provider is stored once', async () => {
  const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  const attach = (id: string): Promise<unknown> =>
    database.one('select public.attach_razorpay_order($1, $2) as answer', order.id, id);
  expect(await attach('order_second')).toEqual({
    answer: { outcome: 'already', razorpay_order_id: order.razorpay_order_id },
  });
});
