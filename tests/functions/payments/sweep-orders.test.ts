import { beforeEach, expect, test } from 'vitest';
import { reportFigures } from '#tests/figures.ts';
import { times } from '#tests/soak.ts';
import { useStack, type Customer } from '#tests/functions/support/stack.ts';
import { dueOrders } from './due-orders.ts';
import { sendEvent } from './webhook-events.ts';

const stack = await useStack();
let customer: Customer;

beforeEach(async () => {
  customer = await stack.signUp();
  stack.mail.mails.length = 0;
  stack.razorpay.reset();
});

const { sweep, openOrder, expire } = dueOrders(() => ({ stack, customer }));

test('an order that Razorpay does not know returns its stock, and the admin is notified once', async () => {
  const orders = [await openOrder(), await openOrder()];
  for (const { number } of orders) await expire(number);
  stack.razorpay.orders.length = 0;
  expect(await sweep()).toMatchObject({ json: { orders: { checked: 2, released: 2 } } });
  for (const { number, ring } of orders) {
    expect(await stack.orderRow(number)).toMatchObject({
      status: 'FAILED',
      release_reason: 'unknown_at_provider',
    });
    expect(await stack.stockOf(ring)).toBe(3);
  }
  expect(
    stack.mail.mails.filter(({ raw }) => raw.includes('Open orders that Razorpay does not know')),
  ).toHaveLength(1);
});

test('a payment in the list that cannot be read spoils neither the others nor the order', async () => {
  const paid = await openOrder();
  stack.razorpay.pay(paid.razorpayOrderId, { amount: 'much' as unknown as number });
  stack.razorpay.pay(paid.razorpayOrderId);
  const open = await openOrder();
  stack.razorpay.pay(open.razorpayOrderId, { id: 'pay_x' });
  for (const { number } of [paid, open]) await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { checked: 2, paid: 1, left: 1 } } });
  expect(await stack.orderRow(paid.number)).toMatchObject({ status: 'COMPLETED' });
  expect(await stack.orderRow(open.number)).toMatchObject({ hold_state: 'held' });
  await stack.sql('update public.orders set next_check_at = null');
});

test('a long list of due orders is looked at in one run, or few, and keeps neither refunds nor mail waiting', async () => {
  const due = times(150, 1_000);
  const { number, razorpayOrderId } = await openOrder();
  stack.razorpay.pay(razorpayOrderId);
  await sendEvent(stack, 'payment.captured', stack.razorpay.payments[0]?.id ?? '');
  stack.razorpay.pay(razorpayOrderId);
  await sendEvent(stack, 'payment.captured', stack.razorpay.payments[0]?.id ?? '');
  stack.mail.mails.length = 0;
  await stack.sql(
    `insert into public.orders (user_id, merchant_transaction_id, items, total_paise, hold_state, hold_expires_at, next_check_at, razorpay_order_id)
     select user_id, 'ABC-many-' || n, '[]', 100, 'held', now(), now(), 'order_' || lpad(n::text, 14, '0')
     from public.orders, generate_series(1, $2::int) n where id = $1`,
    number,
    due,
  );
  for (let n = 1; n <= due; n += 1)
    stack.razorpay.addOrder({
      id: `order_${String(n).padStart(14, '0')}`,
      receipt: `ABC-many-${String(n)}`,
    });
  const began = performance.now();
  const first = await sweep();
  const firstMs = performance.now() - began;
  let sweeps = 1;
  const waiting = async (): Promise<number> =>
    (
      await stack.sql(
        `select 1 from public.orders where merchant_transaction_id like 'ABC-many-%' and hold_state = 'held'`,
      )
    ).length;
  for (; sweeps < 20 && (await waiting()) > 0; sweeps += 1) await sweep();
  const left = await waiting();
  reportFigures('heal', {
    'due orders': due,
    sweeps,
    seconds: (performance.now() - began) / 1000,
    left,
  });
  expect(first).toMatchObject({ json: { refunds: { requested: 1, failed: 0 } } });
  expect(left).toBe(0);
  const { checked } = first.json['orders'] as { checked: number };
  // A run begins nothing after 14 seconds (`platformLimits`): only one that took them may have looked at fewer.
  expect(checked).toBeGreaterThanOrEqual(firstMs < 14_000 ? 150 : 1);
});
