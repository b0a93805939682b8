import { beforeAll, describe, expect, test } from 'vitest';
import { orderPageSchema, adminOrderSchema, type OrderPage } from '#domain/admin/orders/orders.ts';
import { logIn, setAdminPassword } from '#tests/functions/admin/admin-client.ts';
import { useStack } from '#tests/functions/support/stack.ts';
import { eachRow } from '#tests/each-row.ts';

const stack = await useStack();
await setAdminPassword();
const admin = await logIn(stack);
beforeAll(async () => {
  await stack.sql(`
    insert into public.orders (id, created_at, merchant_transaction_id, customer_name, customer_email, customer_phone,
      items, products, total_paise, total_amount, status, payment_status, payment_id, hold_state, fulfilment)
    values
      (1, now() - interval '9 hours', 'OLD-1', 'Rahul Varma', 'rahul@example.com', '9847012345', null,
        '"[{\\"raw\\": {\\"name\\": \\"Old chain\\", \\"quantity\\": \\"2\\", \\"price\\": 250}}]"', null, 500, 'captured', null, 'pay_old', null, 'new'),
      (2, now() - interval '8 hours', 'OLD-2', null, null, null, '{"no": "list"}', null, null, null, 'on hold', null, null, null, 'new'),
      (3, now() - interval '7 hours', 'ABC-3-aaaaaa', 'Anjali Menon', 'anjali@example.com', '+91 98470 54321',
        '[{"product_id": "x", "name": "Temple ring", "quantity": 3, "price": 1000}]', null, 307080, null, 'COMPLETED', 'COMPLETED', 'pay_00000000000003', 'taken', 'new'),
      (4, now() - interval '6 hours', 'ABC-4-aaaaaa', 'Anjali Nair', 'nair@example.com', '080 2345 6789',
        '[{"product_id": "x", "name": "Palakka set", "quantity": 1, "price": 1000}]', null, 102360, null, 'COMPLETED', 'COMPLETED', 'pay_00000000000004', 'taken', 'packed'),
      (5, now() - interval '5 hours', 'ABC-5-aaaaaa', 'Meera 100% Das', 'das@example.com', '+91 90000 00001', '[]', null, 102360, null, 'FAILED', 'FAILED', null, 'released', 'new'),
      (6, now() - interval '4 hours', 'ABC-6-aaaaaa', 'Meera Das', 'das@example.com', '+91 90000 00001', '[]', null, 102360, null, 'PENDING', 'PENDING', null, 'held', 'new'),
      (7, now() - interval '3 hours', 'ABC-7-aaaaaa', 'Meera Das', 'das@example.com', '+91 90000 00001', '[]', null, 102360, null, 'COMPLETED', 'REFUNDED', 'pay_00000000000007', 'taken', 'cancelled')`);
  await stack.sql(`
    insert into public.payments (payment_id, order_id, amount_paise, currency, state)
    values ('pay_00000000000003', 3, 307080, 'INR', 'accepted'), ('pay_00000000000007', 7, 102360, 'INR', 'refunded')`);
  await stack.sql(`
    insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, state, next_attempt_at)
    values ('pay_00000000000003', 3, 100000, 'refund_of_three', 'requested', 'infinity'),
      ('pay_00000000000003', 3, 5000, 'refund_of_three_failed', 'failed', 'infinity'),
      ('pay_00000000000007', 7, 102360, 'refund_of_seven', 'processed', 'infinity')`);
});

const list = async (query = ''): Promise<OrderPage> => {
  const answer = await admin.ask('GET', `/api/admin/orders?${query}`);
  expect(answer.status).toBe(200);
  return orderPageSchema.parse(answer.json);
};
const ids = async (query?: string): Promise<number[]> =>
  (await list(query)).orders.map(({ id }) => id);

describe('the list of orders', () => {
  test('has every order, newest first, imported ones too', async () => {
    const { orders, next, counts } = await list();
    expect(orders.map(({ id }) => id)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(next).toBeNull();
    expect(counts).toEqual({
      all: 7,
      to_confirm: 0,
      to_pack: 2,
      packed: 1,
      shipped: 0,
      delivered: 0,
      cancelled: 1,
      unpaid: 2,
      refunds: 1,
    });
    expect(orders.at(-1)).toMatchObject({
      reference: 'OLD-1',
      firstItem: 'Old chain',
      pieces: 2,
      totalPaise: 50_000,
      status: 'captured',
    });
    expect(orders.at(-2)).toMatchObject({
      customerName: '',
      firstItem: '',
      pieces: 0,
      totalPaise: 0,
    });
    expect(orders[4]).toMatchObject({
      id: 3,
      firstItem: 'Temple ring',
      pieces: 3,
      totalPaise: 307_080,
      refundedPaise: 100_000,
    });
  });

  test('is filtered by what there is to do', () =>
    eachRow(
      [
        ['to_pack', [1, 3]],
        ['packed', [4]],
        ['cancelled', [7]],
        ['unpaid', [6, 5]],
        ['refunds', [3, 7]],
        ['shipped', []],
      ],
      async ([filter, expected]) => {
        expect(await ids(`filter=${filter}`)).toEqual(expected);
      },
    ));

  test('is searched by number, name, phone, e-mail and payment', () =>
    eachRow(
      [
        ['%233', [3]],
        ['Menon anjali', [3]],
        ['%2B91 98470 54321', [3]],
        ['das@example', [7, 6, 5]],
        ['100%25', [5]],
        ['pay_00000000000004', [4]],
        ['nobody', []],
      ],
      async ([query, expected]) => {
        expect(await ids(`q=${query}`)).toEqual(expected);
      },
    ));

  test('is read page by page, and an order that comes meanwhile moves nothing', async () => {
    const first = await list('limit=3');
    expect(first.orders.map(({ id }) => id)).toEqual([7, 6, 5]);
    await stack.sql(
      `insert into public.orders (id, merchant_transaction_id) values (8, 'ABC-8-aaaaaa')`,
    );
    const second = await list(`limit=3&cursor=${String(first.next)}`);
    expect(second.orders.map(({ id }) => id)).toEqual([4, 3, 2]);
    const third = await list(`limit=3&cursor=${String(second.next)}`);
    expect(third).toMatchObject({ orders: [{ id: 1 }], next: null });
    await stack.sql('delete from public.orders where id = 8');
  });
});

describe('the list of refunds', () => {
  test('has those that wait first, then those that were made by their day, page by page, and counts what waits', async () => {
    await stack.sql(
      `insert into public.orders (id, created_at, merchant_transaction_id) values (9, now() - interval '90 days', 'ABC-9-aaaaaa')`,
    );
    await stack.sql(`
      insert into public.payments (payment_id, order_id, amount_paise, currency, state)
      values ('pay_00000000000009', 9, 500, 'INR', 'accepted')`);
    await stack.sql(`
      insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, state, next_attempt_at, created_at)
      values ('pay_00000000000009', 9, 200, 'refund_of_nine', 'processed', 'infinity', now() + interval '1 minute')`);
    const shown: OrderPage['orders'] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: OrderPage = await list(`filter=refunds&limit=1&cursor=${cursor}`);
      expect(page.counts.refunds).toBe(1);
      shown.push(...page.orders);
      cursor = page.next;
    }
    expect(
      shown.map(({ id, refundSums }) => [id, refundSums?.donePaise, refundSums?.openPaise]),
    ).toEqual([
      [3, 0, 105_000],
      [9, 200, 0],
      [7, 102_360, 0],
    ]);
    expect(await ids('filter=refunds&limit=2')).toEqual([3, 9]);
    await stack.sql('delete from public.refunds where order_id = 9');
    await stack.sql('delete from public.payments where order_id = 9');
    await stack.sql('delete from public.orders where id = 9');
  });
});

describe('an order', () => {
  const read = (id: string) => admin.ask('GET', `/api/admin/orders/${id}`);

  test('is shown whole, whatever its shape', () =>
    eachRow(['1', '2', '3', '4', '5', '6', '7'], async (id) => {
      const answer = await read(id);
      expect(answer.status).toBe(200);
      expect(adminOrderSchema.parse(answer.json['order'])).toMatchObject({ id: Number(id) });
      expect(answer.text).not.toContain('search_text');
    }));

  test('shows its money: paid, going back, and what failed may go back again', async () => {
    expect((await read('3')).json['order']).toMatchObject({
      refundedPaise: 100_000,
      refundablePaise: 207_080,
      payments: [{ paymentId: 'pay_00000000000003', state: 'accepted', lostPaise: 0 }],
      refunds: [
        { state: 'requested', amountPaise: 100_000 },
        { state: 'failed', amountPaise: 5_000 },
      ],
    });
  });

  test('is not there under an id that is none, and the list refuses a cursor or limit that is none', async () => {
    for (const id of ['99', '0', '1e3', '1;drop', '99999999999999999999'])
      expect(await read(id)).toMatchObject({ status: 404, json: { error: 'not_found' } });
    for (const query of ['cursor=nonsense', 'cursor=WyJ4IiwxXQ', 'limit=0', 'limit=x'])
      expect((await admin.ask('GET', `/api/admin/orders?${query}`)).status).toBe(400);
  });
});
