import { beforeEach, expect, test } from 'vitest';
import deletionEndpoint from '#netlify/functions/account-deletion.ts';
import cancelEndpoint from '#netlify/functions/order-cancel.ts';
import createOrderEndpoint from '#netlify/functions/payment-create-order.ts';
import statusEndpoint from '#netlify/functions/payment-status.ts';
import { eachRow } from '#tests/each-row.ts';
import { keyId } from '#tests/functions/support/razorpay-server.ts';
import { customerDetails, useStack, type Customer } from '#tests/functions/support/stack.ts';
import { sendEvent } from '#tests/functions/payments/webhook-events.ts';

const stack = await useStack();
let customer: Customer;

beforeEach(async () => {
  customer = await stack.signUp();
  stack.razorpay.calls.length = 0;
  stack.razorpay.faults.length = 0;
});

const ordersOf = (id: string): Promise<Record<string, unknown>[]> =>
  stack.sql('select * from public.orders where user_id = $1 order by id', id);

test('an order is priced and held by the database and opened at the provider', async () => {
  const ring = await stack.addProduct({ price: 1_200, offerPrice: 1_000, stock: 3 });
  const answer = await stack.createOrder(customer, [{ product_id: ring, quantity: 2 }]);
  expect(answer.status).toBe(200);
  const [row] = await ordersOf(customer.id);
  expect(row).toMatchObject({
    total_paise: 204_720,
    status: 'PENDING',
    payment_status: 'PENDING',
    hold_state: 'held',
  });
  expect(row).toMatchObject({
    customer_email: customerDetails.customer_email,
    customer_city: 'Kochi',
    notes: customerDetails.notes,
  });
  expect(answer.json).toMatchObject({
    order: {
      id: row?.['merchant_transaction_id'],
      reference: row?.['merchant_transaction_id'],
      number: row?.['id'],
    },
    order_id: row?.['razorpay_order_id'],
    payment: { orderId: row?.['razorpay_order_id'], key: keyId, currency: 'INR', amount: 204_720 },
  });
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/u);
  const { razorpay } = stack;
  expect(razorpay.orders[0]).toMatchObject({
    amount: 204_720,
    receipt: row?.['merchant_transaction_id'],
    notes: { order_id: String(row?.['id']) },
  });
  expect(await stack.stockOf(ring)).toBe(1);
});

test.each([-0.01, 0.01, -1_000, 1_000_000])(
  'a total that is off by %d rupees is answered with the prices and nothing is written',
  async (off) => {
    const ring = await stack.addProduct({ price: 1_500, stock: 3 });
    const lines = [{ product_id: ring, quantity: 1 }];
    const answer = await stack.createOrder(customer, lines, {
      body: { total_amount: 1_535.4 + off },
    });
    expect(answer.status).toBe(409);
    expect(answer.json).toMatchObject({
      error: 'price_changed',
      total_paise: 153_540,
      subtotal_paise: 150_000,
      fee_paise: 3_540,
      items: [{ product_id: ring, quantity: 1, price: 1_500 }],
    });
    expect(stack.razorpay.calls).toEqual([]);
    expect(await ordersOf(customer.id)).toEqual([]);
    expect(await stack.stockOf(ring)).toBe(3);
  },
);

test('the same idempotency key, three times at once, gives one order, one hold and one answer', async () => {
  const ring = await stack.addProduct({ stock: 5 });
  const key = crypto.randomUUID();
  const lines = [{ product_id: ring, quantity: 2 }];
  const answers = await Promise.all(
    [1, 2, 3].map(() => stack.createOrder(customer, lines, { key })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ json }) => json['order_id'])).size).toBe(1);
  expect(await ordersOf(customer.id)).toHaveLength(1);
  expect(await stack.stockOf(ring)).toBe(3);
});

test('a second try of the same cart, with a new key, reuses the open order without asking the provider', async () => {
  const ring = await stack.addProduct({ stock: 5 });
  const lines = [{ product_id: ring, quantity: 1 }];
  const first = await stack.createOrder(customer, lines);
  stack.razorpay.calls.length = 0;
  const second = await stack.createOrder(customer, lines);
  expect(second.json['order_id']).toBe(first.json['order_id']);
  expect(stack.razorpay.calls).toEqual([]);
  expect(await stack.stockOf(ring)).toBe(4);
});

test('what cannot be sold is refused with what the cart needs to know, and nothing is held or sent to the provider', async () => {
  const ring = await stack.addProduct({ name: 'Jasmine ring', stock: 2 });
  const many = await stack.addProduct({ stock: 50 });
  const crown = await stack.addProduct({ price: 1_000_000, stock: 3 });
  const gone = crypto.randomUUID();
  await eachRow(
    [
      {
        line: { product_id: ring, quantity: 3 },
        status: 409,
        json: {
          error: 'out_of_stock',
          message: 'Not enough in stock: Jasmine ring.',
          items: [{ product_id: ring, name: 'Jasmine ring', requested: 3, available: 2 }],
        },
      },
      {
        line: { product_id: many, quantity: 21 },
        status: 409,
        json: {
          error: 'too_many_units',
          items: [{ product_id: many, requested: 21, available: 20 }],
        },
      },
      {
        line: { product_id: gone, quantity: 1 },
        body: { total_amount: 10 },
        status: 409,
        json: { error: 'unknown_product', product_ids: [gone] },
      },
      {
        line: { product_id: crown, quantity: 1 },
        status: 400,
        json: {
          error: 'amount_out_of_range',
          message: 'Amount exceeds maximum limit of ₹10,00,000',
        },
      },
    ],
    async ({ line, body = {}, status, json }) => {
      expect(await stack.createOrder(customer, [line], { body })).toMatchObject({ status, json });
    },
  );
  expect(await ordersOf(customer.id)).toEqual([]);
  expect(stack.razorpay.calls).toEqual([]);
});

test.each([
  [createOrderEndpoint, 'POST', '/api/payment/create-order', 'continue to payment'],
  [statusEndpoint, 'GET', '/api/payment/status?order_id=order_00000000000000', 'see your order'],
  [cancelEndpoint, 'POST', '/api/orders/1001/cancel', 'cancel your order'],
  [deletionEndpoint, 'POST', '/api/my-data/delete', 'delete your account'],
])(
  'without a session %#: the refusal names what the customer wanted',
  async (handler, method, path, purpose) => {
    for (const token of ['', 'aaa.bbb.ccc', 'sb_publishable_test_0123456789'])
      expect(await stack.call(handler, path, { method, token })).toMatchObject({
        status: 401,
        json: { error: 'unauthorized', message: `Please sign in to ${purpose}.` },
      });
  },
);

test('a customer who held stock for 36 minutes without paying reads how many minutes to wait', async () => {
  const ring = await stack.addProduct({ stock: 1 });
  for (let lapse = 0; lapse < 2; lapse += 1) {
    const { json } = await stack.createOrder(customer, [{ product_id: ring, quantity: 1 }]);
    const { number } = json['order'] as { number: unknown };
    await stack.sql(
      `update public.orders set created_at = created_at - interval '16 minutes', hold_expires_at = now() - interval '1 second' where id = $1`,
      number,
    );
    await stack.sql(`select public.release_order($1, 'expired')`, number);
  }
  const refused = await stack.createOrder(customer, [{ product_id: ring, quantity: 1 }]);
  expect(refused).toMatchObject({ status: 429, json: { error: 'wait' } });
  expect(refused.json['message']).toMatch(
    /for 36 minutes without a payment.* try again in 10[56] minutes/u,
  );
});

test('an order that is paid is not opened again with its key', async () => {
  const lines = [{ product_id: await stack.addProduct(), quantity: 1 }];
  const key = crypto.randomUUID();
  const first = await stack.createOrder(customer, lines, { key });
  const orderId = String(first.json['order_id']);
  const { razorpay_payment_id: paymentId } = stack.razorpay.pay(orderId);
  await sendEvent(stack, 'payment.captured', paymentId);
  expect(await stack.createOrder(customer, lines, { key })).toMatchObject({
    status: 409,
    json: { error: 'paid', order: { razorpay_order_id: orderId, payment_id: paymentId } },
  });
});

test('a key whose order has ended asks for a new one', async () => {
  const lines = [{ product_id: await stack.addProduct(), quantity: 1 }];
  const key = crypto.randomUUID();
  await stack.createOrder(customer, lines, { key });
  await stack.sql(
    `update public.orders set hold_expires_at = now() - interval '1 second' where user_id = $1`,
    customer.id,
  );
  expect(await stack.createOrder(customer, lines, { key })).toMatchObject({
    status: 409,
    json: { error: 'expired' },
  });
});
