import { checkoutSettings } from '#domain/checkout/checkout-settings.ts';
import type { ConfirmedDetails } from '#domain/checkout/forms.ts';
import { orderRefusalSchema, type OrderRefusal } from '#domain/checkout/order-outcome.ts';
import type { OrderChoices } from '#domain/sums/charges.ts';
import { rupeesFromPaise, type Paise } from '#domain/money.ts';
import {
  PaymentError,
  readCreatedOrder,
  readError,
  type CreatedOrder,
} from '#domain/checkout/payment.ts';
import { ConnectionError, explainFault, readText, request as send } from '#services/connection.ts';
import { timeLimit } from '#services/time-limit.ts';

/** A create-order request. `total` in paise is what the customer saw and agreed to, fee included. */
export interface OrderRequest {
  details: ConfirmedDetails;
  lines: readonly { id: string; size?: string | undefined; quantity: number }[];
  total: Paise;
  /** The discount code; null for none. */
  code: string | null;
  choices: OrderChoices;
  idempotencyKey: string;
  accessToken: string;
}

/** The outcome: an order, or why there is none, with a sentence for the customer. */
export type OrderOutcome =
  | { outcome: 'placed'; order: CreatedOrder }
  | { outcome: 'signed_out' }
  | (OrderRefusal & { message: string });

/** Reads a refusal of create-order; null when it names none of its outcomes. */
export function readOrderRefusal(answer: unknown): (OrderRefusal & { message: string }) | null {
  const refusal = orderRefusalSchema.safeParse(answer);
  return refusal.success ? { ...refusal.data, message: readError(answer) ?? '' } : null;
}

function bodyOf({ details, lines, total, code, choices }: OrderRequest): string {
  return JSON.stringify({
    customer_name: details.name,
    customer_email: details.email,
    customer_phone: details.phone,
    customer_address: details.address,
    customer_city: details.city,
    customer_postal_code: details.postalCode,
    notes: details.notes,
    gift_note: details.giftNote,
    recipient_name: details.recipientName,
    recipient_phone: details.recipientPhone,
    customer_gstin: details.gstin,
    asked_about: details.askedAbout,
    products: lines.map(({ id, size, quantity }) => ({ product_id: id, size, quantity })),
    total_amount: rupeesFromPaise(total),
    ...(code === null ? {} : { discount_code: code }),
    ...(choices.way === 'now' ? {} : { payment_way: choices.way }),
  });
}

async function post(request: OrderRequest): Promise<{ ok: boolean; status: number; text: string }> {
  try {
    const answer = await send('/api/payment/create-order', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${request.accessToken}`,
        'idempotency-key': request.idempotencyKey,
      },
      body: bodyOf(request),
      signal: timeLimit(checkoutSettings.createTimeoutMs),
    });
    return { ok: answer.ok, status: answer.status, text: await readText(answer) };
  } catch (error) {
    console.warn('create-order did not answer', error);
    throw new PaymentError(
      error instanceof ConnectionError && error.isLate
        ? 'Request timeout: Backend server took too long to respond. Please try again.'
        : explainFault(
            error,
            'Cannot connect to the payment server. Please check your connection and try again.',
          ),
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

/** Requests an order from the backend within 30 s. Throws a PaymentError with the spec's message (section 8). */
export async function createOrder(request: OrderRequest): Promise<OrderOutcome> {
  const { ok, status, text } = await post(request);
  const answer = parseJson(text);
  if (ok) return { outcome: 'placed', order: readCreatedOrder(answer) };
  if (status === 401) return { outcome: 'signed_out' };
  const refusal = readOrderRefusal(answer);
  if (refusal) return refusal;
  throw new PaymentError(readError(answer) ?? `Backend error: ${String(status)}`);
}
