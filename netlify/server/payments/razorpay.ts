import Razorpay from 'razorpay';
import type * as z from 'zod/mini';
import { paymentEnv } from '../platform/env.ts';
import { PaymentProviderError, toProviderError } from './payment-provider-error.ts';
import {
  listOf,
  orderIdSchema,
  paymentIdSchema,
  providerOrderSchema,
  providerPaymentSchema,
  providerRefundSchema,
  type ProviderOrder,
  type ProviderPayment,
  type ProviderRefund,
} from './razorpay-entities.ts';

/** What the shop asks of Razorpay. Every call ends within its time and fails with a PaymentProviderError only. */
export interface PaymentProvider {
  keyId: string;
  /** For checking signatures. Never leaves the server. */
  keySecret: string;
  /** Makes an order of `amount` paise, or finds the one made with this receipt when the response was lost. */
  createOrder: (order: NewProviderOrder) => Promise<ProviderOrder>;
  fetchPayment: (paymentId: string) => Promise<ProviderPayment>;
  fetchOrderPayments: (orderId: string) => Promise<ProviderPayment[]>;
  /** Refunds `amount` paise. The same key never refunds twice. */
  refund: (refund: { paymentId: string; amount: number; idempotencyKey: string }) => Promise<ProviderRefund>;
}

export interface NewProviderOrder {
  /** Our order's own number, unique, at most 40 characters. */
  receipt: string;
  amount: number;
  currency: string;
  notes: Readonly<Record<string, string>>;
  /** True when an earlier try may have made it already: then it is looked for first. */
  mayExist?: boolean;
}

interface Client {
  defaults: { baseURL?: string; maxRedirects?: number; maxContentLength?: number };
  interceptors: {
    request: { use: (change: (config: { signal?: AbortSignal }) => unknown) => void };
    response: { use: (pass: (answer: unknown) => unknown, fail: (error: unknown) => unknown) => void };
  };
  post: (
    path: string,
    body: unknown,
    config: { headers: Record<string, string> },
  ) => Promise<{ data: unknown }>;
}

/*
 * The SDK has no option for its address, for time-outs or for this header, and breaks on errors without a response
 * (it reads `response.status` of undefined). Its HTTP client is reachable, so all of that is set there.
 */
function openClient(sdk: Razorpay, baseUrl: string, timeoutMs: number): Client {
  const { rq } = sdk.api as unknown as { rq: Client };
  rq.defaults.baseURL = baseUrl.replace(/\/+$/u, '');
  rq.defaults.maxRedirects = 0;
  rq.defaults.maxContentLength = 1_000_000;
  rq.interceptors.request.use((config) => Object.assign(config, { signal: AbortSignal.timeout(timeoutMs) }));
  rq.interceptors.response.use(
    (answer) => answer,
    (error: unknown) => {
      const { response, code } = error as { response?: { status: number; data?: unknown }; code?: string };
      const answer = { status: response?.status ?? 0, data: { error: errorOf(response?.data) ?? { code } } };
      // The SDK reads `response` of it, `toProviderError` the rest.
      throw Object.assign(new Error('No answer of success'), {
        response: answer,
        statusCode: answer.status,
        error: answer.data.error,
      });
    },
  );
  return rq;
}

const errorOf = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'error' in data ? data.error : null;

/** Three calls (create, look up, create again) fit into the 30 seconds that the shopper's browser waits. */
const usualTimeoutMs = 9_000;

/** Opens Razorpay with the configured keys. Throws ConfigurationError; see `paymentEnv`. */
export function openRazorpay(deployContext?: string, timeoutMs = usualTimeoutMs): PaymentProvider {
  const env = paymentEnv(deployContext);
  const keyId = env.RAZORPAY_KEY_ID;
  const keySecret = env.RAZORPAY_KEY_SECRET;
  const sdk = new Razorpay({ key_id: keyId, key_secret: keySecret });
  const client = openClient(sdk, env.RAZORPAY_API_URL, timeoutMs);

  const findByReceipt = async ({
    receipt,
    amount,
    currency,
  }: NewProviderOrder): Promise<ProviderOrder | undefined> => {
    const { items } = await ask(() => sdk.orders.all({ receipt, count: 10 }), listOf(providerOrderSchema));
    return items.find(
      (order) => order.receipt === receipt && order.amount === amount && order.currency === currency,
    );
  };
  const create = async ({ receipt, amount, currency, notes }: NewProviderOrder): Promise<ProviderOrder> =>
    ask(() => sdk.orders.create({ receipt, amount, currency, notes: { ...notes } }), providerOrderSchema);

  return {
    keyId,
    keySecret,
    async createOrder(order) {
      const earlier = order.mayExist === true ? await findByReceipt(order) : undefined;
      if (earlier) return earlier;
      try {
        return await create(order);
      } catch (error) {
        if (!toProviderError(error).mayHaveHappened) throw error;
        return (await findByReceipt(order)) ?? (await create(order));
      }
    },
    async fetchPayment(paymentId) {
      const id = checkId(paymentIdSchema, paymentId);
      return ask(() => sdk.payments.fetch(id), providerPaymentSchema);
    },
    async fetchOrderPayments(orderId) {
      const id = checkId(orderIdSchema, orderId);
      return (await ask(() => sdk.orders.fetchPayments(id), listOf(providerPaymentSchema))).items;
    },
    async refund({ paymentId, amount, idempotencyKey }) {
      const path = `/v1/payments/${checkId(paymentIdSchema, paymentId)}/refund`;
      const headers = { 'X-Refund-Idempotency': idempotencyKey };
      const body = { amount, speed: 'normal', receipt: idempotencyKey };
      return ask(async () => (await client.post(path, body, { headers })).data, providerRefundSchema);
    },
  };
}

function checkId(schema: z.ZodMiniType<string>, id: string): string {
  const parsed = schema.safeParse(id);
  if (parsed.success) return parsed.data;
  throw new PaymentProviderError('refused', 400, 'BAD_ID');
}

async function ask<T>(call: () => Promise<unknown>, schema: z.ZodMiniType<T>): Promise<T> {
  let answer: unknown;
  try {
    answer = await call();
  } catch (error) {
    throw toProviderError(error);
  }
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new PaymentProviderError('failed', 200, 'UNREADABLE');
}
