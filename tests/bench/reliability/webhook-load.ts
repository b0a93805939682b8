/*
 * Check 22: signed webhooks at 50 a second for 20 seconds on the embedded stack, of each payment the three that Razorpay
 * sends. One of three completes an order, whose two mails go out beside. A time counts from the moment at which the webhook
 * was due, so that a stack that falls behind is seen. Another rate and count: `webhook-load.ts 20 400`.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { insertRows, supabaseAs } from '#tests/browser/support/running-shop.ts';
import { reportFigures } from '#tests/figures.ts';
import { usageOf, withStack, type EmbeddedStack } from '#tests/bench/support/embedded-stack.ts';
import { orderRow, percentile, totalPaise, webhook } from '#tests/bench/support/purchase.ts';
import { shop } from '#settings/shop.ts';

const [perSecond = 50, measured = 1_002] = process.argv.slice(2).map(Number);
const warmUp = 99;
/** Razorpay's events of a payment, in this order. */
const events = ['payment.authorized', 'payment.captured', 'order.paid'] as const;
const idOf = (kind: string, index: number): string => `${kind}_${String(index).padStart(14, '0')}`;

/** An open order that holds its stock, as create-order leaves it. */
const openOrder = (keyId: string, index: number): Record<string, unknown> =>
  orderRow({
    merchant_transaction_id: `${shop.orderPrefix}load-${String(index)}`,
    razorpay_order_id: idOf('order', index),
    razorpay_key_id: keyId,
    hold_state: 'held',
    hold_expires_at: new Date(Date.now() + 900_000),
    next_check_at: new Date(Date.now() + 900_000),
  });

/** How many were not answered with 200. */
let refused = 0;

/** Sends one webhook, the n-th of all. Returns its milliseconds since it was due. */
async function deliver({ origin, secrets }: EmbeddedStack, n: number, due: number) {
  const [index, event = ''] = [Math.floor(n / events.length), events[n % events.length]];
  const isCaptured = event !== 'payment.authorized';
  const payment = {
    id: idOf('pay', index),
    order_id: idOf('order', index),
    amount: totalPaise,
    currency: 'INR',
    status: isCaptured ? 'captured' : 'authorized',
    captured: isCaptured,
    method: 'upi',
  };
  const sent = webhook(secrets.razorpayWebhookSecret, randomUUID(), event, payment);
  try {
    const response = await fetch(`${origin}/api/payment/webhook`, sent);
    await response.arrayBuffer();
    if (!response.ok) refused += 1;
  } catch {
    // There was no connection or no answer, and the provider would send it again.
    refused += 1;
  }
  return performance.now() - due;
}

/** Delivers the webhooks of these orders at the rate; their times in milliseconds. */
async function deliverAll(stack: EmbeddedStack, first: number, count: number): Promise<number[]> {
  const began = performance.now();
  const deliveries: Promise<number>[] = [];
  for (let index = 0; index < count; index += 1) {
    const due = began + (index * 1000) / perSecond;
    await wait(Math.max(0, due - performance.now()));
    deliveries.push(deliver(stack, first + index, due));
  }
  return Promise.all(deliveries);
}

await withStack(async (stack) => {
  const paid = Math.floor((warmUp + measured) / events.length);
  await insertRows(
    'orders',
    Array.from({ length: paid }, (_, index) => openOrder(stack.secrets.razorpayKeyId, index)),
  );
  await deliverAll(stack, 0, warmUp);
  const [began, before] = [performance.now(), await usageOf(stack.pid)];
  const times = await deliverAll(stack, warmUp, measured);
  const seconds = (performance.now() - began) / 1000;
  const spent = (await usageOf(stack.pid)).processor - before.processor;
  const { count, error } = await supabaseAs('shop')
    .from('orders')
    .select('id', { count: 'exact', head: true })
    .like('merchant_transaction_id', `${shop.orderPrefix}load-%`)
    .eq('status', 'COMPLETED');
  if (error) throw new Error(error.message);
  reportFigures(22, {
    webhooks: times.length,
    'a second': Math.round((measured / seconds) * 10) / 10,
    'p50 in ms': Math.round(percentile(times, 0.5)),
    'p95 in ms': Math.round(percentile(times, 0.95)),
    'p99 in ms': Math.round(percentile(times, 0.99)),
    'CPU of the stack in ms for each': Math.round((spent / measured) * 10_000) / 10,
    refused,
    'orders not completed': paid - (count ?? 0),
  });
});
