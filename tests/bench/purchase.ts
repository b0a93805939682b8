import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { paiseFromRupees, platformFee } from '../../src/domain/money.ts';
import { shop } from '../../src/shop.config.ts';
import type { EmbeddedStack } from './embedded-stack.ts';

/** Milliseconds of each request by its name. */
export type Samples = Map<string, number[]>;

/** Sends a request of a shopper to a path of the shop; resolves to status and text. */
export type Send = (
  url: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<{ status: number; text: string }>;

/** Sends a request and keeps how long it took under a name. Throws on a status of 400 or more. */
export async function measure(
  samples: Samples,
  send: Send,
  name: string,
  ...request: Parameters<Send>
): Promise<string> {
  const began = performance.now();
  const { status, text } = await send(...request);
  samples.set(name, [...(samples.get(name) ?? []), performance.now() - began]);
  if (status >= 400) throw new Error(`${name} answered ${String(status)}: ${text}`);
  return text;
}

/** The value below which a share of the samples is, with one decimal. */
export const percentile = (values: readonly number[], share: number): string =>
  (
    values.toSorted((a, b) => a - b)[
      Math.min(values.length - 1, Math.floor(values.length * share))
    ] ?? Number.NaN
  ).toFixed(1);

/** A POST of JSON. */
export const post = (
  body: unknown,
  headers: Record<string, string> = {},
): { method: string; headers: Record<string, string>; body: string } => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Price of one product of ₹100 for a shopper, in paise. */
export const totalPaise =
  (paiseFromRupees(100) ?? 0) + platformFee(paiseFromRupees(100) ?? 0, shop.platformFeeBps);

/** Buys one product of ₹100: order, payment in the sandbox, verification. Resolves to the ids at Razorpay. */
export async function buy(
  { origin, sandboxOrigin, secrets }: EmbeddedStack,
  {
    samples,
    send,
    token,
    product,
    pause,
  }: { samples: Samples; send: Send; token: string; product: string; pause?: () => Promise<void> },
): Promise<{ orderId: string; paymentId: string }> {
  const details = {
    customer_name: 'Anjali Menon',
    customer_email: 'shopper@kasavu.example',
    customer_phone: '+91 98470 12345',
    customer_address: '14 Temple Road, Vadakkumnathan West',
    customer_city: 'Thrissur',
    customer_postal_code: '680001',
    products: [{ product_id: product, quantity: 1 }],
    total_amount: totalPaise / 100,
  };
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() };
  const created = await measure(
    samples,
    send,
    'create-order',
    `${origin}/api/payment/create-order`,
    post(details, headers),
  );
  const { order_id: orderId } = z.object({ order_id: z.string() }).parse(JSON.parse(created));
  await pause?.();
  const paid = await send(
    `${sandboxOrigin}/local/razorpay/checkout/pay`,
    post({ key: secrets.razorpayKeyId, order_id: orderId }),
  );
  const response = z.looseObject({ razorpay_payment_id: z.string() }).parse(JSON.parse(paid.text));
  await measure(
    samples,
    send,
    'verify',
    `${origin}/api/payment/verify`,
    post(response, { authorization: `Bearer ${token}` }),
  );
  return { orderId, paymentId: response.razorpay_payment_id };
}
