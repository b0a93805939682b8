import { beforeEach, expect, test, vi } from 'vitest';
import { keyId } from '#tests/functions/support/razorpay-server.ts';
import { useStack, type Customer } from '#tests/functions/support/stack.ts';

const stack = await useStack();
let customer: Customer;

beforeEach(async () => {
  customer = await stack.signUp();
  stack.razorpay.calls.length = 0;
  stack.razorpay.faults.length = 0;
});

const ordersOf = (id: string): Promise<Record<string, unknown>[]> =>
  stack.sql('select * from public.orders where user_id = $1 order by id', id);

test.each(['drop', 'error', 'html', 'garbage'] as const)(
  'when the provider keeps failing with "%s" the hold is given back',
  async (fault) => {
    const ring = await stack.addProduct({ stock: 4 });
    stack.razorpay.faults.push(
      { call: 'POST /v1/orders', fault },
      { call: 'POST /v1/orders', fault },
    );
    const answer = await stack.createOrder(customer, [{ product_id: ring, quantity: 1 }]);
    expect(answer.status).toBe(502);
    expect(answer.json).toMatchObject({
      error: 'payment_provider',
      request_id: answer.headers.get('x-request-id'),
    });
    expect(await stack.stockOf(ring)).toBe(4);
    expect(await ordersOf(customer.id)).toMatchObject([
      { status: 'FAILED', hold_state: 'released' },
    ]);
  },
);

test("an attempt that died before storing the provider's order is completed by the next one", async () => {
  const lines = [{ product_id: await stack.addProduct(), quantity: 1 }];
  const first = await stack.createOrder(customer, lines);
  await stack.sql(
    'update public.orders set razorpay_order_id = null where user_id = $1',
    customer.id,
  );
  const orders = stack.razorpay.orders.length;
  const second = await stack.createOrder(customer, lines);
  expect(second.json['order_id']).toBe(first.json['order_id']);
  expect(stack.razorpay.orders).toHaveLength(orders);
});

test('with the sandbox in production payments are not configured', async () => {
  const ring = await stack.addProduct();
  const lines = [{ product_id: ring, quantity: 1 }];
  const refused = { status: 503, json: { message: 'Payments are not configured' } };
  vi.stubEnv('CONTEXT', 'production');
  vi.stubEnv('TEST_BUYERS', customer.email);
  expect(await stack.createOrder(customer, lines)).toMatchObject(refused);
  vi.stubEnv('RAZORPAY_KEY_ID', 'rzp_live_0123456789');
  expect(await stack.createOrder(customer, lines)).toMatchObject(refused);
  vi.stubEnv('CONTEXT', 'dev');
  vi.stubEnv('RAZORPAY_KEY_ID', keyId);
  expect(await ordersOf(customer.id)).toEqual([]);
  expect(await stack.createOrder(customer, lines)).toMatchObject({ status: 200 });
  expect(await ordersOf(customer.id)).toHaveLength(1);
});

test('with the database down the response says so and can be retried', async () => {
  const ring = await stack.addProduct();
  stack.database.setDown(true);
  const total_amount = 1_023.6;
  const answer = await stack
    .createOrder(customer, [{ product_id: ring, quantity: 1 }], { body: { total_amount } })
    .finally(() => {
      stack.database.setDown(false);
    });
  expect(answer.status).toBe(503);
  expect(answer.json).toMatchObject({ error: 'unavailable' });
  expect(answer.headers.get('retry-after')).toBe('10');
});
