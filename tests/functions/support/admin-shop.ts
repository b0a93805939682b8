import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '@netlify/functions';
import { afterAll, vi } from 'vitest';
import { isDropped } from '#local/emulators/http/handler.ts';
import { createSandbox, type Sandbox } from '#local/emulators/razorpay/sandbox.ts';
import verifyEndpoint from '#netlify/functions/payment-verify.ts';
import webhookEndpoint from '#netlify/functions/payment-webhook.ts';
import { adminOrderSchema, type AdminOrder } from '#domain/admin/orders/orders.ts';
import { logIn, setAdminPassword, type AdminClient } from '#tests/functions/admin/admin-client.ts';
import { keyId, keySecret, webhookSecret } from './razorpay-server.ts';
import { serveFetch } from './serve-fetch.ts';
import { useStack, type Answer, type Line, type Customer, type Stack } from './stack.ts';

interface SandboxRefund {
  payment_id: string;
  amount: number;
  status: string;
}

export interface OpenOrder {
  id: number;
  razorpayOrderId: string;
  /** Paise. */
  total: number;
}

/**
 * The functions over the sandbox that `npm start` runs, with its webhooks, and the admin logged in. It lasts for the rest of a test
 * file.
 */
export interface AdminShop extends Stack {
  admin: AdminClient;
  /** Places an order of these lines, unpaid. */
  place: (customer: Customer, lines: Line[], body?: Record<string, unknown>) => Promise<OpenOrder>;
  /** Pays an order in the sandbox's checkout; says nothing of it to the shop but by webhook. Returns what Checkout hands out. */
  pay: (order: OpenOrder) => Promise<{ razorpay_payment_id: string }>;
  /** An order that is placed, paid and verified. */
  buy: (
    customer: Customer,
    lines: Line[],
    body?: Record<string, unknown>,
  ) => Promise<OpenOrder & { paymentId: string }>;
  /** Sets the sandbox's faults; none without. */
  setFaults: (faults?: unknown) => Promise<void>;
  /** A refund in Razorpay's dashboard, in paise. */
  refundAtRazorpay: (paymentId: string, amount: number) => Promise<void>;
  /** The sandbox's refunds of a payment, in paise. */
  sentBack: (paymentId: string) => Promise<number[]>;
  read: (id: number) => Promise<AdminOrder>;
  step: (id: number, body: unknown) => Promise<Answer>;
  /** Confirms an order at the door as the admin has read it. */
  confirmCash: (id: number) => Promise<Answer>;
  refund: (id: number, body: Record<string, unknown>) => Promise<Answer>;
  cancel: (id: number, body?: Record<string, unknown>) => Promise<Answer>;
  /** Waits until nothing is left to send: a webhook that came meanwhile may be the one that sends an admin mail. */
  mailsSent: () => Promise<void>;
  /** Runs the sweep with everything that is due. */
  sweep: () => Promise<Answer>;
}

export async function useAdminShop(): Promise<AdminShop> {
  const stack = await useStack();
  const folder = await mkdtemp(join(tmpdir(), 'kasavu-owner-'));
  // The sandbox needs to know its address, which is known only when its server runs.
  const opened: { sandbox?: Sandbox } = {};
  const origin = await serveFetch(async (request) => {
    if (new URL(request.url).pathname === '/api/payment/webhook')
      return webhookEndpoint(request, {} as Context);
    const answer = (await opened.sandbox?.handle(request)) ?? new Response('', { status: 404 });
    return isDropped(answer) ? null : answer;
  });
  const sandbox = await createSandbox({
    file: join(folder, 'razorpay.json'),
    origin: origin.url,
    keyId,
    keySecret,
    webhookSecret,
  });
  opened.sandbox = sandbox;
  vi.stubEnv('RAZORPAY_API_URL', `${origin.url}/local/razorpay`);
  await setAdminPassword();
  const admin = await logIn(stack);
  const at = (path: string, body: unknown): Promise<Response> =>
    fetch(`${origin.url}/local/razorpay/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const post = (id: number, what: string, body: unknown): Promise<Answer> =>
    admin.ask('POST', `/api/admin/orders/${String(id)}/${what}`, body);

  const place: AdminShop['place'] = async (customer, lines, body = {}) => {
    const answer = await stack.createOrder(customer, lines, { body });
    if (answer.status !== 200) throw new Error(`Not placed: ${answer.text}`);
    const id = Number((answer.json['order'] as { number: unknown }).number);
    const row = await stack.orderRow(id);
    return {
      id,
      razorpayOrderId: String(answer.json['order_id']),
      total: Number(row['total_paise']),
    };
  };
  const pay: AdminShop['pay'] = async ({ razorpayOrderId }) =>
    (await (await at('checkout/pay', { key: keyId, order_id: razorpayOrderId })).json()) as {
      razorpay_payment_id: string;
    };

  const mailsSent: AdminShop['mailsSent'] = async () => {
    await vi.waitFor(async () => {
      const waiting = await stack.sql('select id from public.outbox where sent_at is null');
      if (waiting.length > 0) throw new Error('Mails are on their way');
    }, 15_000);
  };

  afterAll(async () => {
    await sandbox.close();
    await origin.close();
    await rm(folder, { recursive: true });
  });

  const read: AdminShop['read'] = async (id) => {
    const answer = await admin.ask('GET', `/api/admin/orders/${String(id)}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return adminOrderSchema.parse(answer.json['order']);
  };

  return {
    ...stack,
    admin,
    place,
    pay,
    mailsSent,
    read,
    async buy(customer, lines, body) {
      const order = await place(customer, lines, body);
      const claim = await pay(order);
      const verified = await stack.post(verifyEndpoint, '/api/payment/verify', claim, {
        token: customer.token,
      });
      if (verified.status !== 200) throw new Error(`Not verified: ${verified.text}`);
      await mailsSent();
      return { ...order, paymentId: claim.razorpay_payment_id };
    },
    async setFaults(faults = {}) {
      await at('faults', faults);
    },
    async refundAtRazorpay(paymentId, amount) {
      const credentials = Buffer.from(`${keyId}:${keySecret}`).toString('base64');
      const response = await fetch(`${origin.url}/local/razorpay/v1/payments/${paymentId}/refund`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${credentials}`,
        },
        body: JSON.stringify({ amount }),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    async sentBack(paymentId) {
      const state = (await (await fetch(`${origin.url}/local/razorpay/state.json`)).json()) as {
        refunds: SandboxRefund[];
      };
      return state.refunds
        .filter((refund) => refund.payment_id === paymentId)
        .map(({ amount }) => amount)
        .reverse();
    },
    step: (id, body) => post(id, 'fulfilment', body),
    confirmCash: async (id) => post(id, 'cash/confirm', { revision: (await read(id)).revision }),
    refund: (id, body) =>
      post(id, 'refund', {
        key: crypto.randomUUID(),
        reason: 'A scratch',
        restock: [],
        ...body,
      }),
    cancel: (id, body = {}) =>
      post(id, 'cancel', {
        key: crypto.randomUUID(),
        reason: 'Sold in the shop',
        restock: true,
        ...body,
      }),
    async sweep() {
      await stack.sql(
        `update public.refunds set next_attempt_at = now() - interval '1 second' where state = 'due'`,
      );
      return stack.sweep();
    },
  };
}

/** The body of every step of shipping. */
export const parcel = {
  state: 'shipped',
  carrier: 'India Post',
  trackingNumber: 'EM123456789IN',
  trackingUrl: 'https://www.indiapost.gov.in/',
};
