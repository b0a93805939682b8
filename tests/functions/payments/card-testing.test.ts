import { beforeEach, expect, test } from 'vitest';
import { useStack, type Customer } from '#tests/functions/support/stack.ts';
import { dueOrders } from './due-orders.ts';
import { sendEvent } from './webhook-events.ts';

const stack = await useStack();
let customer: Customer;

beforeEach(async () => {
  customer = await stack.signUp();
  stack.mail.reset();
  stack.razorpay.reset();
  await stack.sql('delete from public.webhook_events');
});

const { sweep, openOrder } = dueOrders(() => ({ stack, customer }));

/** This many payments of an order fail; each is reported twice. */
async function fail(razorpayOrderId: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { razorpay_payment_id: id } = stack.razorpay.pay(razorpayOrderId, { status: 'failed' });
    await sendEvent(stack, 'payment.failed', id);
    await sendEvent(stack, 'payment.failed', id);
  }
}

test('the tenth failed payment closes its order, and its account waits for an hour', async () => {
  const { number, razorpayOrderId, ring } = await openOrder(3);
  await fail(razorpayOrderId, 9);
  expect(await stack.orderRow(number)).toMatchObject({ status: 'PENDING', hold_state: 'held' });
  await fail(razorpayOrderId, 1);
  expect(await stack.orderRow(number)).toMatchObject({
    status: 'FAILED',
    hold_state: 'released',
    release_reason: 'cards_refused',
  });
  expect(await stack.stockOf(ring)).toBe(3);
  const lines = [{ product_id: ring, quantity: 1 }];
  expect(await stack.createOrder(customer, lines)).toMatchObject({
    status: 429,
    json: {
      error: 'wait',
      message: expect.stringContaining('Several of your payments were refused') as unknown,
    },
  });
  expect((await stack.createOrder(await stack.signUp(), lines)).status).toBe(200);
  await stack.sql(
    `update public.webhook_events set received_at = received_at - interval '61 minutes'`,
  );
  expect((await stack.createOrder(customer, lines)).status).toBe(200);
});

test('thirty failed payments within an hour are one mail to the admin, and those of another site are none', async () => {
  const customers = [customer, await stack.signUp(), await stack.signUp(), await stack.signUp()];
  stack.razorpay.addOrder({
    id: 'order_Foreign0000002',
    amount: 500,
    currency: 'INR',
    receipt: 'INV-9',
    status: 'attempted',
    notes: [],
  });
  await fail('order_Foreign0000002', 30);
  const alerts = async (): Promise<number> => {
    await sweep();
    return stack.mail.mails.filter(({ raw }) => raw.includes('testing stolen cards')).length;
  };
  expect(await alerts()).toBe(0);
  for (const one of customers) {
    customer = one;
    const { razorpayOrderId } = await openOrder();
    await fail(razorpayOrderId, 9);
  }
  expect(await alerts()).toBe(1);
});
