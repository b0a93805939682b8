/*
 * Check 22: signed webhooks at 50 a second for 20 seconds on the embedded stack: of each payment the three that Razorpay
 * sends. One of three completes an order, whose two mails go out beside. A time counts from the moment at which the webhook
 * was due, so that a stack that falls behind is seen. Another rate and count: `webhook-load.ts 20 400`.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import { reportFigures } from '../../figures.ts';
import { startEmbeddedStack } from '../embedded-stack.ts';

const [perSecond, warmUp, measured] = [
  Number(process.argv[2] ?? 50),
  99,
  Number(process.argv[3] ?? 1_002),
];
const amount = 102_360;

const dataDir = await mkdtemp(join(tmpdir(), 'bench-webhooks-'));
const stack = await startEmbeddedStack(dataDir);
const { origin, secrets } = stack;
const orders = () =>
  createClient(origin, secrets.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  }).from('orders');
const idOf = (kind: string, index: number): string => `${kind}_${String(index).padStart(14, '0')}`;

/** Open orders that hold their stock, as create-order leaves them. */
async function openOrders(count: number): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: count }, (_, index) => ({
    merchant_transaction_id: `KSV-load-${String(index)}`,
    razorpay_order_id: idOf('order', index),
    razorpay_key_id: secrets.razorpayKeyId,
    customer_name: 'Anjali Menon',
    customer_email: `load-${String(index)}@kasavu.example`,
    customer_phone: '+91 98470 12345',
    customer_address: '14 Temple Road',
    customer_city: 'Thrissur',
    customer_postal_code: '680001',
    items: [
      { product_id: randomUUID(), name: 'Temple ring', quantity: 1, price: 1_000, image: null },
    ],
    subtotal_paise: 100_000,
    fee_paise: 2_360,
    total_paise: amount,
    fee_bps: 236,
    hold_state: 'held',
    hold_expires_at: new Date(now + 900_000),
    next_check_at: new Date(now + 900_000),
  }));
  for (let first = 0; first < count; first += 100) {
    const { error } = await orders().insert(rows.slice(first, first + 100));
    if (error) throw new Error(error.message);
  }
}

/** How many were not answered with 200. */
let refused = 0;

/** Razorpay's events of a payment, in this order. */
const events = ['payment.authorized', 'payment.captured', 'order.paid'] as const;

/** Sends one webhook, the n-th of all. Returns its milliseconds since it was due. */
async function deliver(n: number, due: number): Promise<number> {
  const [payment, event] = [Math.floor(n / events.length), events[n % events.length]];
  const status = event === 'payment.authorized' ? 'authorized' : 'captured';
  const entity = {
    entity: 'payment',
    id: idOf('pay', payment),
    order_id: idOf('order', payment),
    amount,
    currency: 'INR',
    status,
    captured: status === 'captured',
    method: 'upi',
  };
  const body = JSON.stringify({
    entity: 'event',
    event,
    contains: ['payment'],
    payload: { payment: { entity } },
  });
  const signature = createHmac('sha256', secrets.razorpayWebhookSecret).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-razorpay-signature': signature,
    'x-razorpay-event-id': randomUUID(),
  };
  try {
    const response = await fetch(`${origin}/api/payment/webhook`, {
      method: 'POST',
      headers,
      body,
    });
    await response.arrayBuffer();
    if (!response.ok) refused += 1;
  } catch {
    // No connection, or no answer: the provider would send it again.
    refused += 1;
  }
  return performance.now() - due;
}

/** Delivers the webhooks of these orders at the rate; their times in milliseconds. */
async function deliverAll(first: number, count: number): Promise<number[]> {
  const began = performance.now();
  const deliveries: Promise<number>[] = [];
  for (let index = 0; index < count; index += 1) {
    const due = began + (index * 1000) / perSecond;
    await wait(Math.max(0, due - performance.now()));
    deliveries.push(deliver(first + index, due));
  }
  return Promise.all(deliveries);
}

/** Processor time of the stack's process so far, in milliseconds. Linux alone tells it. */
async function processorTime(): Promise<number> {
  const fields =
    (await readFile(`/proc/${String(stack.pid)}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

try {
  const paid = Math.floor((warmUp + measured) / events.length);
  await openOrders(paid);
  await deliverAll(0, warmUp);
  const [began, busy] = [performance.now(), await processorTime()];
  const times = (await deliverAll(warmUp, measured)).toSorted((a, b) => a - b);
  const seconds = (performance.now() - began) / 1000;
  const spent = (await processorTime()) - busy;
  const { count, error } = await orders()
    .select('id', { count: 'exact', head: true })
    .like('merchant_transaction_id', 'KSV-load-%')
    .eq('status', 'COMPLETED');
  if (error) throw new Error(error.message);
  const at = (share: number): number =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN);
  reportFigures(22, {
    webhooks: times.length,
    'a second': Math.round((measured / seconds) * 10) / 10,
    'p50 in ms': at(0.5),
    'p95 in ms': at(0.95),
    'p99 in ms': at(0.99),
    'CPU of the stack in ms for each': Math.round((spent / measured) * 10) / 10,
    refused,
    'orders not completed': paid - (count ?? 0),
  });
} finally {
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
