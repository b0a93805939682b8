import { createHmac, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { paiseFromRupees } from '#domain/money.ts';
import { platformFee } from '#domain/sums/platform-fee.ts';
import { categories } from '#domain/catalogue/category.ts';
import { shop } from '#settings/shop.ts';
import { runningShop, supabaseAs } from '#tests/browser/support/running-shop.ts';
import type { EmbeddedStack } from './embedded-stack.ts';

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request of a customer to a path of the shop; resolves to status and text. */
export type Send = (url: string, init?: Sent) => Promise<{ status: number; text: string }>;

export const sendByFetch: Send = async (url, init) => {
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text() };
};

/** Sends a request and returns what it answered. Throws on a status of 400 or more. */
async function sendFor(send: Send, url: string, init: Sent): Promise<string> {
  const { status, text } = await send(url, init);
  if (status >= 400) throw new Error(`${url} answered ${String(status)}: ${text}`);
  return text;
}

/** The value below which a share of the samples is. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? Number.NaN;

/** A POST of JSON. */
export const post = (body: unknown, headers: Record<string, string> = {}): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** A webhook as Razorpay signs and sends it. */
export function webhook(secret: string, id: string, event: string, payment: object): Sent {
  const sent = post({ event, payload: { payment: { entity: payment } } });
  const signature = createHmac('sha256', secret)
    .update(sent.body ?? '')
    .digest('hex');
  const signed = { 'x-razorpay-signature': signature, 'x-razorpay-event-id': id };
  return { ...sent, headers: { ...sent.headers, ...signed } };
}

/** Logs the admin in; resolves to the cookies of the session. */
export async function logInAsAdmin(): Promise<string> {
  const { url, adminPassword } = runningShop();
  const login = post({ password: adminPassword }, { origin: url });
  const { headers } = await fetch(`${url}/api/admin/login`, login);
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** Adds a product of ₹100 to the catalogue; resolves to its id. */
export async function insertRing(
  name: string,
  stock: number,
  category = categories[0],
): Promise<string> {
  const row = { name, category, price: 100, stock };
  const { data } = await supabaseAs('shop').from('products').insert(row).select('id').single();
  return z.object({ id: z.string() }).parse(data).id;
}

/** Price of one such ring for a customer, in paise. */
export const totalPaise =
  (paiseFromRupees(100) ?? 0) + platformFee(paiseFromRupees(100) ?? 0, shop.platformFeeBps);

interface Purchase {
  token: string;
  product: string;
  send?: Send;
  pause?: () => Promise<void>;
}

const createdSchema = z.object({
  order_id: z.string(),
  order: z.object({ number: z.number() }),
});

/** Buys one such ring: order, payment in the sandbox, verification. Resolves to its number and the ids at Razorpay. */
export async function buy(
  { origin, payments, secrets }: EmbeddedStack,
  { token, product, send = sendByFetch, pause }: Purchase,
): Promise<{ number: number; orderId: string; paymentId: string }> {
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
  const authorization = `Bearer ${token}`;
  const request = post(details, { authorization, 'idempotency-key': randomUUID() });
  const created = await sendFor(send, `${origin}/api/payment/create-order`, request);
  const { order, order_id: orderId } = createdSchema.parse(JSON.parse(created));
  await pause?.();
  const paid = await send(
    `${payments}/checkout/pay`,
    post({ key: secrets.razorpayKeyId, order_id: orderId }),
  );
  const response = z.looseObject({ razorpay_payment_id: z.string() }).parse(JSON.parse(paid.text));
  const verified = post(response, { authorization });
  await sendFor(send, `${origin}/api/payment/verify`, verified);
  return { number: order.number, orderId, paymentId: response.razorpay_payment_id };
}

/** The row of an unpaid order of one product for ₹100, with the platform fee. */
export const orderRow = (changes: Record<string, unknown>): Record<string, unknown> => ({
  merchant_transaction_id: `${shop.orderPrefix}${randomUUID().slice(0, 20)}`,
  customer_name: 'Anjali Menon',
  customer_email: 'anjali@kasavu.example',
  customer_phone: '+91 98470 12345',
  customer_address: '14 Temple Road',
  customer_city: 'Thrissur',
  customer_postal_code: '680001',
  items: [{ product_id: randomUUID(), name: 'Temple ring', quantity: 1, price: 100, image: null }],
  subtotal_paise: 10_000,
  fee_paise: 236,
  total_paise: 10_236,
  fee_bps: 236,
  ...changes,
});

/** The row of such an order once it is paid. */
export const paidOrderRow = (changes: Record<string, unknown>): Record<string, unknown> =>
  orderRow({
    hold_state: 'taken',
    status: 'COMPLETED',
    payment_status: 'COMPLETED',
    payment_id: `pay_${randomUUID().replaceAll('-', '').slice(0, 14)}`,
    paid_at: new Date(),
    ...changes,
  });
