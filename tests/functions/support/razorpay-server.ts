import { createHmac, randomBytes } from 'node:crypto';
import { serveFetch, type Served } from './serve-fetch.ts';

export const keyId = 'rzp_sandbox_testkey';
/** Canaries: never to be seen in an answer or a log line. */
export const keySecret = 'canary-key-secret-0123456789';
export const webhookSecret = 'canary-webhook-secret-0123456789';

interface Order {
  id: string;
  amount: number;
  currency: string;
  receipt: string;
  status: string;
  notes: unknown;
}
interface Payment {
  id: string;
  amount: number;
  currency: string;
  status: string;
  order_id: string;
  method: string;
}

/**
 * One fault for the next matching call: `drop` closes the connection before doing it, `lose` does it and then
 * closes, `error` is a 500, `html` a proxy's 502 page, `slow` never ends, `garbage` a 200 that is not JSON.
 */
export type Fault = 'drop' | 'lose' | 'error' | 'html' | 'slow' | 'garbage' | 'conflict';

export interface RazorpayServer extends Served {
  orders: Order[];
  payments: Payment[];
  refunds: { id: string; payment_id: string; amount: number; status: string; key: string }[];
  /** 'POST /v1/orders' and so on, in order of arrival. */
  calls: string[];
  /** Faults waiting for calls whose 'METHOD /path' starts with `call`, one each. */
  faults: { call: string; fault: Fault }[];
  /** Forgets everything. */
  reset: () => void;
  /** Takes a payment on an order as Checkout does; returns what its handler would get. */
  pay: (
    orderId: string,
    change?: Partial<Payment>,
  ) => { razorpay_order_id: string; razorpay_payment_id: string; razorpay_signature: string };
}

const newId = (kind: string): string =>
  `${kind}_${randomBytes(20)
    .toString('base64')
    .replaceAll(/[^A-Za-z0-9]/gu, '')
    .slice(0, 14)
    .padEnd(14, '0')}`;

/** The signature that Checkout hands out. */
export const signPayment = (orderId: string, paymentId: string, secret = keySecret): string =>
  createHmac('sha256', secret).update(`${orderId}|${paymentId}`).digest('hex');

const refuse = (status: number, description: string): Response =>
  Response.json({ error: { code: 'BAD_REQUEST_ERROR', description } }, { status });

/** Razorpay's orders, payments and refunds over HTTP, as its documentation describes them, on a free port. */
export async function startRazorpay(): Promise<RazorpayServer> {
  const state: Pick<RazorpayServer, 'orders' | 'payments' | 'refunds' | 'calls' | 'faults'> = {
    orders: [],
    payments: [],
    refunds: [],
    calls: [],
    faults: [],
  };
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;

  async function perform(request: Request, path: string): Promise<Response> {
    const { searchParams } = new URL(request.url);
    if (request.headers.get('authorization') !== authorization) return refuse(401, 'Authentication failed');
    if (request.method === 'POST' && path === '/v1/orders') {
      const { amount, currency, receipt, notes } = (await request.json()) as Order;
      if (!Number.isInteger(amount) || amount < 100) return refuse(400, 'Order amount less than minimum');
      const order = { id: newId('order'), amount, currency, receipt, notes, status: 'created' };
      state.orders.push(order);
      return Response.json({ entity: 'order', ...order });
    }
    if (path === '/v1/orders') {
      const items = state.orders.filter((order) => order.receipt === searchParams.get('receipt'));
      return Response.json({ entity: 'collection', count: items.length, items });
    }
    const orderId = /^\/v1\/orders\/(\w+)\/payments$/u.exec(path)?.[1];
    if (orderId !== undefined) {
      const items = state.payments.filter((payment) => payment.order_id === orderId);
      return Response.json({ entity: 'collection', count: items.length, items });
    }
    const paymentId = /^\/v1\/payments\/(\w+)(?:\/refund)?$/u.exec(path)?.[1];
    const payment = state.payments.find(({ id }) => id === paymentId);
    if (!payment) return refuse(400, 'The id provided does not exist');
    if (request.method === 'GET') return Response.json({ entity: 'payment', ...payment });
    const key = request.headers.get('x-refund-idempotency') ?? '';
    const { amount } = (await request.json()) as { amount: number };
    const before = state.refunds.find((refund) => refund.key !== '' && refund.key === key);
    if (before && before.amount !== amount) return refuse(409, 'Different request body');
    const refund = before ?? { id: newId('rfnd'), payment_id: payment.id, amount, status: 'processed', key };
    if (!before) state.refunds.push(refund);
    return Response.json({ entity: 'refund', ...refund });
  }

  const served = await serveFetch(async (request) => {
    const path = new URL(request.url).pathname;
    const call = `${request.method} ${path}`;
    state.calls.push(call);
    const index = state.faults.findIndex((entry) => call.startsWith(entry.call));
    const fault = index === -1 ? undefined : state.faults.splice(index, 1)[0]?.fault;
    if (fault === 'drop') return null;
    if (fault === 'error')
      return Response.json({ error: { code: 'SERVER_ERROR', description: 'down' } }, { status: 500 });
    if (fault === 'conflict') return refuse(409, 'Another request is in progress');
    if (fault === 'html')
      return new Response('<html>Bad gateway</html>', {
        status: 502,
        headers: { 'content-type': 'text/html' },
      });
    if (fault === 'garbage')
      return new Response('<html>Welcome', { headers: { 'content-type': 'application/json' } });
    if (fault === 'slow') return new Promise<null>((resolve) => setTimeout(resolve, 15_000, null).unref());
    const response = await perform(request, path);
    return fault === 'lose' ? null : response;
  });

  return {
    ...served,
    ...state,
    reset() {
      for (const list of Object.values(state)) list.length = 0;
    },
    pay(orderId, change = {}) {
      const order = state.orders.find(({ id }) => id === orderId);
      if (!order) throw new Error(`No such order at the provider: ${orderId}`);
      const { amount, currency } = order;
      const payment = {
        id: newId('pay'),
        amount,
        currency,
        status: 'captured',
        order_id: orderId,
        method: 'upi',
        ...change,
      };
      state.payments.push(payment);
      return {
        razorpay_order_id: orderId,
        razorpay_payment_id: payment.id,
        razorpay_signature: signPayment(orderId, payment.id),
      };
    },
  };
}
