import * as z from 'zod/mini';
import { shop } from '../../shop.config.ts';
import type { CustomerDetails } from '../../domain/checkout/forms.ts';
import { paiseFromRupees, rupeesFromPaise, type Paise } from '../../domain/money.ts';
import {
  PaymentError,
  readCreatedOrder,
  readError,
  type CreatedOrder,
} from '../../domain/checkout/payment.ts';
import { shortItemSchema, type ShortItem } from '../../domain/checkout/short-item.ts';

/** What is asked of the backend. `total` in paise is what the shopper saw and agreed to, fee included. */
export interface OrderRequest {
  details: CustomerDetails;
  lines: readonly { id: string; size?: string | undefined; quantity: number }[];
  total: Paise;
  /** The discount code; null for none. */
  code: string | null;
  idempotencyKey: string;
  accessToken: string;
}

/** What became of it. Everything else is a PaymentError with the message for the shopper. */
export type OrderOutcome =
  | { kind: 'created'; order: CreatedOrder }
  | { kind: 'signed-out' }
  | { kind: 'expired-key' }
  | { kind: 'price-changed'; total: Paise | null }
  | { kind: 'out-of-stock'; items: readonly ShortItem[] }
  | { kind: 'too-many-units'; items: readonly ShortItem[]; message: string }
  | { kind: 'unknown-product' }
  | { kind: 'closed'; message: string }
  | { kind: 'choose-size'; message: string }
  | { kind: 'discount'; message: string }
  | { kind: 'already-paid'; orderId: string | null; paymentId: string | null };

const refusalSchema = z.object({
  error: z.optional(z.string()),
  message: z._default(z.string(), ''),
  total_amount: z.optional(z.union([z.number(), z.string()])),
  items: z.optional(z.array(z.unknown())),
  payment: z.optional(z.object({ orderId: z.optional(z.nullable(z.string())) })),
  payment_id: z.optional(z.nullable(z.string())),
});

/** Sorts a 409 response; null when it is none of the known ones. */
export function readConflict(answer: unknown): OrderOutcome | null {
  const parsed = refusalSchema.safeParse(answer);
  if (!parsed.success) return null;
  const {
    error,
    message,
    total_amount: total,
    items = [],
    payment,
    payment_id: paymentId,
  } = parsed.data;
  const shortItems = items.flatMap((item) => {
    const short = shortItemSchema.safeParse(item);
    return short.success ? [short.data] : [];
  });
  switch (error) {
    case 'price_changed':
      return { kind: 'price-changed', total: total === undefined ? null : paiseFromRupees(total) };
    case 'out_of_stock':
      return { kind: 'out-of-stock', items: shortItems };
    case 'too_many_units':
      return { kind: 'too-many-units', items: shortItems, message };
    case 'already_paid':
      return {
        kind: 'already-paid',
        orderId: payment?.orderId ?? null,
        paymentId: paymentId ?? null,
      };
    case 'expired_key':
      return { kind: 'expired-key' };
    case 'closed':
      return { kind: 'closed', message };
    case 'unknown_product':
      return { kind: 'unknown-product' };
    case 'choose_size':
      return { kind: 'choose-size', message };
    case 'discount':
      return { kind: 'discount', message };
    default:
      return null;
  }
}

function bodyOf({ details, lines, total, code }: OrderRequest): string {
  return JSON.stringify({
    customer_name: details.name,
    customer_email: details.email,
    customer_phone: details.phone,
    customer_address: details.address,
    customer_city: details.city,
    customer_postal_code: details.postalCode,
    notes: details.notes,
    customer_gstin: details.gstin,
    products: lines.map(({ id, size, quantity }) => ({ product_id: id, size, quantity })),
    total_amount: rupeesFromPaise(total),
    ...(code === null ? {} : { discount_code: code }),
  });
}

async function send(request: OrderRequest): Promise<{ ok: boolean; status: number; text: string }> {
  try {
    const answer = await fetch('/api/payment/create-order', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${request.accessToken}`,
        'idempotency-key': request.idempotencyKey,
      },
      body: bodyOf(request),
      signal: AbortSignal.timeout(shop.checkout.createTimeoutMs),
    });
    return { ok: answer.ok, status: answer.status, text: await answer.text() };
  } catch (error) {
    console.warn('create-order did not answer', error);
    throw error instanceof DOMException && error.name === 'TimeoutError'
      ? new PaymentError(
          'Request timeout: Backend server took too long to respond. Please try again.',
        )
      : new PaymentError(
          'Cannot connect to the payment server. Please check your connection and try again.',
        );
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Asks the backend for an order (30 s at most). Throws a PaymentError with the spec's message (section 8). */
export async function createOrder(request: OrderRequest): Promise<OrderOutcome> {
  const { ok, status, text } = await send(request);
  const answer = parseJson(text);
  if (ok) return { kind: 'created', order: readCreatedOrder(answer) };
  if (status === 401) return { kind: 'signed-out' };
  const conflict = status === 409 ? readConflict(answer) : null;
  if (conflict) return conflict;
  throw new PaymentError(readError(answer) ?? `Backend error: ${String(status)}`);
}
