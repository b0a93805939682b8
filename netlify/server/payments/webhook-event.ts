import * as z from 'zod/mini';
import { database, readRows } from '../platform/database.ts';
import {
  providerDisputeSchema,
  providerPaymentSchema,
  providerRefundSchema,
  type ProviderDispute,
  type ProviderPayment,
  type ProviderRefund,
} from './razorpay-entities.ts';

const envelopeSchema = z.object({
  event: z.string().check(z.maxLength(100)),
  payload: z.object({
    payment: z.optional(z.object({ entity: z.unknown() })),
    refund: z.optional(z.object({ entity: z.unknown() })),
    dispute: z.optional(z.object({ entity: z.unknown() })),
  }),
});

/** What an event of the provider asks for. */
export type WebhookEvent =
  | { kind: 'captured'; event: string; payment: ProviderPayment }
  | { kind: 'failed'; event: string; paymentId: string }
  | { kind: 'refund'; event: string; refund: ProviderRefund }
  | { kind: 'dispute'; event: string; dispute: ProviderDispute }
  | { kind: 'ignored'; event: string };

/**
 * Reads a webhook's body; check its signature first. Events that the shop does not act on, or whose content it
 * cannot read, are 'ignored': refusing them would only make the provider send them again.
 */
export function readWebhookEvent(body: Uint8Array): WebhookEvent {
  const envelope = envelopeSchema.safeParse(parseJson(body));
  if (!envelope.success) return { kind: 'ignored', event: 'unreadable' };
  const { event, payload } = envelope.data;
  if (event === 'payment.captured' || event === 'order.paid') {
    const payment = providerPaymentSchema.safeParse(payload.payment?.entity);
    // A payment without an order is not of this shop's checkout (a payment link, another page).
    if (payment.success && payment.data.status === 'captured' && payment.data.order_id !== null) {
      return { kind: 'captured', event, payment: payment.data };
    }
  }
  if (event === 'payment.failed') {
    const payment = providerPaymentSchema.safeParse(payload.payment?.entity);
    if (payment.success) return { kind: 'failed', event, paymentId: payment.data.id };
  }
  if (event === 'refund.created' || event === 'refund.processed' || event === 'refund.failed') {
    const refund = providerRefundSchema.safeParse(payload.refund?.entity);
    if (refund.success) return { kind: 'refund', event, refund: refund.data };
  }
  if (event.startsWith('payment.dispute.')) {
    const dispute = providerDisputeSchema.safeParse(payload.dispute?.entity);
    if (dispute.success) return { kind: 'dispute', event, dispute: dispute.data };
  }
  return { kind: 'ignored', event };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

/** Keeps an event that changes no order, for the admin's questions. Twice the same is kept once. */
export async function recordEvent(
  eventId: string,
  event: string,
  paymentId: string,
): Promise<void> {
  const row = { event_id: eventId, event, payment_id: paymentId };
  const query = database()
    .from('webhook_events')
    .upsert(row, { onConflict: 'event_id', ignoreDuplicates: true });
  await readRows('record event', query, z.unknown());
}
