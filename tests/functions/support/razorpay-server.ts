import { disputePayment } from '#local/emulators/razorpay/disputes.ts';
import {
  unixNow,
  type SandboxDispute,
  type SandboxOrder,
  type SandboxPayment,
  type SandboxRefund,
} from '#local/emulators/razorpay/entities.ts';
import { createOrder } from '#local/emulators/razorpay/orders.ts';
import { attemptSchema, payOrder } from '#local/emulators/razorpay/payments.ts';
import { createRefund } from '#local/emulators/razorpay/refunds.ts';
import { signPayment as signWith } from '#local/emulators/razorpay/signature.ts';
import { createMemorySandbox } from '#tests/memory-sandbox.ts';
import { serveFetch, type Served } from './serve-fetch.ts';

export const keyId = 'rzp_sandbox_testkey';
/** Canaries: never to be seen in an answer or a log line. */
export const keySecret = 'canary-key-secret-0123456789';
export const webhookSecret = 'canary-webhook-secret-0123456789';

/**
 * One fault for the next matching call: `drop` closes the connection before doing it, `lose` does it and then
 * closes, `error` is a 500, `html` a proxy's 502 page, `slow` never ends, `garbage` a 200 that is not JSON; `keys` and `wrong keys`
 * refuse the credentials with 400, in the two sentences of Razorpay's documentation.
 */
export type Fault =
  'drop' | 'lose' | 'error' | 'html' | 'slow' | 'garbage' | 'conflict' | 'keys' | 'wrong keys';

/** The embedded stack's payment sandbox over HTTP, on a free port. Each list has the newest first. */
export interface RazorpayServer extends Served {
  orders: SandboxOrder[];
  payments: SandboxPayment[];
  refunds: SandboxRefund[];
  disputes: SandboxDispute[];
  /** 'POST /v1/orders' and so on, in order of arrival. */
  calls: string[];
  /** The bodies of POST /v1/orders. */
  orderRequests: unknown[];
  /** Faults waiting for calls whose 'METHOD /path' starts with `call`, one each. */
  faults: { call: string; fault: Fault }[];
  /** Forgets everything. */
  reset: () => void;
  /** An order that the shop did not make, or does not remember. */
  addOrder: (change: Partial<SandboxOrder>) => SandboxOrder;
  /** A refund made in the dashboard: the shop hears of it by an event at most. */
  refundByHand: (
    paymentId: string,
    amount: number,
    status?: SandboxRefund['status'],
  ) => SandboxRefund;
  /** A dispute that was opened ten minutes ago. */
  dispute: (paymentId: string) => SandboxDispute;
  /** Takes a payment on an order as Checkout does, ten minutes ago; returns what its handler would get. */
  pay: (
    orderId: string,
    change?: Partial<SandboxPayment>,
  ) => { razorpay_order_id: string; razorpay_payment_id: string; razorpay_signature: string };
}

/** The signature that Checkout hands out. */
export const signPayment = (orderId: string, paymentId: string, secret = keySecret): string =>
  signWith(orderId, paymentId, secret);

const refuse = (status: number, description: string): Response =>
  Response.json({ error: { code: 'BAD_REQUEST_ERROR', description } }, { status });

export async function startRazorpay(): Promise<RazorpayServer> {
  const sandbox = createMemorySandbox({ keyId, keySecret, webhookSecret });
  const { ledger, records } = sandbox;
  const calls: string[] = [];
  const orderRequests: unknown[] = [];
  const faults: RazorpayServer['faults'] = [];

  const served = await serveFetch(async (request, connection) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    calls.push(call);
    const index = faults.findIndex((entry) => call.startsWith(entry.call));
    const fault = index === -1 ? undefined : faults.splice(index, 1)[0]?.fault;
    if (fault === 'drop') return null;
    if (fault === 'error')
      return Response.json(
        { error: { code: 'SERVER_ERROR', description: 'down' } },
        { status: 500 },
      );
    if (fault === 'conflict') return refuse(409, 'Another request is in progress');
    if (fault === 'keys') return refuse(400, 'Authentication failed');
    if (fault === 'wrong keys') return refuse(400, 'The api key provided is invalid');
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
    if (call === 'POST /v1/orders') orderRequests.push(await request.clone().json());
    const response = await sandbox.answer(request);
    return fault === 'lose' ? null : response;
  });

  const tenMinutesAgo = (): number => unixNow() - 600;
  const { orders, payments, refunds, disputes } = records;
  return {
    ...served,
    orders,
    payments,
    refunds,
    disputes,
    calls,
    orderRequests,
    faults,
    reset() {
      sandbox.reset();
      for (const list of [calls, orderRequests, faults]) list.length = 0;
    },
    addOrder: (change) =>
      Object.assign(createOrder(ledger, { amount: 100, currency: 'INR' }), change),
    refundByHand(paymentId, amount, status = 'processed') {
      const { refund } = createRefund(ledger, paymentId, { amount }, null);
      return Object.assign(refund, { status, created_at: tenMinutesAgo() });
    },
    dispute(paymentId) {
      const { dispute } = disputePayment(ledger, paymentId, {});
      return Object.assign(dispute, { created_at: tenMinutesAgo() });
    },
    pay(orderId, change = {}) {
      const isCaptured = (change.status ?? 'captured') === 'captured';
      const attempt = attemptSchema.parse({
        again: true,
        status: isCaptured ? 'captured' : 'authorized',
      });
      const { payment } = payOrder(ledger, orderId, attempt);
      Object.assign(payment, { created_at: tenMinutesAgo(), ...change });
      return {
        razorpay_order_id: orderId,
        razorpay_payment_id: payment.id,
        razorpay_signature: signPayment(orderId, payment.id),
      };
    },
  };
}
