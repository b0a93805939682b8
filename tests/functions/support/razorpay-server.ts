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
  /** What was asked about capture. */
  payment?: unknown;
}
interface Payment {
  id: string;
  amount: number;
  currency: string;
  status: string;
  order_id: string;
  method: string;
  captured?: boolean;
  /** Unix seconds. */
  created_at: number;
}

/**
 * One fault for the next matching call: `drop` closes the connection before doing it, `lose` does it and then
 * closes, `error` is a 500, `html` a proxy's 502 page, `slow` never ends, `garbage` a 200 that is not JSON.
 */
export type Fault = 'drop' | 'lose' | 'error' | 'html' | 'slow' | 'garbage' | 'conflict';

export interface RazorpayServer extends Served {
  orders: Order[];
  payments: Payment[];
  refunds: {
    id: string;
    payment_id: string;
    amount: number;
    status: string;
    receipt: string | null;
    key: string;
    /** Unix seconds. */
    created_at: number;
  }[];
  disputes: {
    id: string;
    payment_id: string;
    amount: number;
    status: string;
    /** Unix seconds. */
    created_at: number;
  }[];
  /** 'POST /v1/orders' and so on, in order of arrival. */
  calls: string[];
  /** Faults waiting for calls whose 'METHOD /path' starts with `call`, one each. */
  faults: { call: string; fault: Fault }[];
  /** Forgets everything. */
  reset: () => void;
  /** A refund made in the dashboard: the shop hears of it by an event at most. */
  refundByHand: (
    paymentId: string,
    amount: number,
    status?: string,
  ) => RazorpayServer['refunds'][number];
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
  const state: Pick<
    RazorpayServer,
    'orders' | 'payments' | 'refunds' | 'disputes' | 'calls' | 'faults'
  > = {
    orders: [],
    payments: [],
    refunds: [],
    disputes: [],
    calls: [],
    faults: [],
  };
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;

  const refundedOf = (paymentId: string): number =>
    state.refunds
      .filter((refund) => refund.payment_id === paymentId && refund.status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0);
  const entityOf = (payment: Payment): object => {
    const refunded = refundedOf(payment.id);
    const status =
      payment.status === 'captured' && refunded >= payment.amount ? 'refunded' : payment.status;
    return { entity: 'payment', ...payment, status, amount_refunded: refunded };
  };
  const collection = (items: readonly unknown[]): Response =>
    Response.json({ entity: 'collection', count: items.length, items });

  async function perform(request: Request, path: string): Promise<Response> {
    const { searchParams } = new URL(request.url);
    if (request.headers.get('authorization') !== authorization)
      return refuse(401, 'Authentication failed');
    if (request.method === 'POST' && path === '/v1/orders') {
      const { amount, currency, receipt, notes, payment } = (await request.json()) as Order;
      if (!Number.isInteger(amount) || amount < 100)
        return refuse(400, 'Order amount less than minimum');
      const order = {
        id: newId('order'),
        amount,
        currency,
        receipt,
        notes,
        payment,
        status: 'created',
      };
      state.orders.push(order);
      return Response.json({ entity: 'order', ...order });
    }
    if (path === '/v1/orders')
      return collection(
        state.orders.filter((order) => order.receipt === searchParams.get('receipt')),
      );
    /** A page of a list, by the time of its entries. */
    const pageOf = <T extends { created_at: number }>(list: readonly T[]): T[] => {
      const asked = (name: string, otherwise: number): number =>
        Number(searchParams.get(name) ?? otherwise);
      const skip = asked('skip', 0);
      return list
        .filter(({ created_at: at }) => at >= asked('from', 0) && at <= asked('to', Infinity))
        .slice(skip, skip + asked('count', 10));
    };
    if (path === '/v1/payments') return collection(pageOf(state.payments).map(entityOf));
    if (path === '/v1/refunds') return collection(pageOf(state.refunds));
    if (path === '/v1/disputes') return collection(pageOf(state.disputes));
    const order = state.orders.find(({ id }) => path === `/v1/orders/${id}`);
    if (order) return Response.json({ entity: 'order', ...order });
    const orderId = /^\/v1\/orders\/(\w+)\/payments$/u.exec(path)?.[1];
    if (orderId !== undefined) {
      if (!state.orders.some(({ id }) => id === orderId))
        return refuse(400, 'The id provided does not exist');
      return collection(
        state.payments.filter((payment) => payment.order_id === orderId).map(entityOf),
      );
    }
    const [, paymentId, action] =
      /^\/v1\/payments\/(\w+)(?:\/(refund|refunds|capture))?$/u.exec(path) ?? [];
    const payment = state.payments.find(({ id }) => id === paymentId);
    if (!payment) return refuse(400, 'The id provided does not exist');
    if (action === 'refunds')
      return collection(state.refunds.filter((refund) => refund.payment_id === payment.id));
    if (request.method === 'GET') return Response.json(entityOf(payment));
    if (action === 'capture') {
      if (payment.status !== 'authorized')
        return refuse(400, 'This payment has already been captured');
      payment.status = 'captured';
      return Response.json(entityOf(payment));
    }
    const key = request.headers.get('x-refund-idempotency') ?? '';
    const { amount } = (await request.json()) as { amount: number };
    const before = state.refunds.find((refund) => refund.key !== '' && refund.key === key);
    if (before && before.amount !== amount) return refuse(409, 'Different request body');
    const refund = before ?? {
      id: newId('rfnd'),
      payment_id: payment.id,
      amount,
      status: 'processed',
      receipt: key,
      key,
      created_at: Math.floor(Date.now() / 1000) - 600,
    };
    if (!before) state.refunds.push(refund);
    return Response.json({ entity: 'refund', ...refund });
  }

  const served = await serveFetch(async (request, connection) => {
    const path = new URL(request.url).pathname;
    const call = `${request.method} ${path}`;
    state.calls.push(call);
    const index = state.faults.findIndex((entry) => call.startsWith(entry.call));
    const fault = index === -1 ? undefined : state.faults.splice(index, 1)[0]?.fault;
    if (fault === 'drop') return null;
    if (fault === 'error')
      return Response.json(
        { error: { code: 'SERVER_ERROR', description: 'down' } },
        { status: 500 },
      );
    if (fault === 'conflict') return refuse(409, 'Another request is in progress');
    if (fault === 'html')
      return new Response('<html>Bad gateway</html>', {
        status: 502,
        headers: { 'content-type': 'text/html' },
      });
    if (fault === 'garbage')
      return new Response('<html>Welcome', { headers: { 'content-type': 'application/json' } });
    if (fault === 'slow')
      return new Promise<null>((resolve) => {
        if (connection.aborted) resolve(null);
        connection.addEventListener('abort', () => {
          resolve(null);
        });
      });
    const response = await perform(request, path);
    return fault === 'lose' ? null : response;
  });

  return {
    ...served,
    ...state,
    reset() {
      for (const list of Object.values(state)) list.length = 0;
    },
    refundByHand(paymentId, amount, status = 'processed') {
      const refund = {
        id: newId('rfnd'),
        payment_id: paymentId,
        amount,
        status,
        receipt: null,
        key: '',
        created_at: Math.floor(Date.now() / 1000) - 600,
      };
      state.refunds.push(refund);
      return refund;
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
        created_at: Math.floor(Date.now() / 1000) - 600,
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
