import * as z from 'zod/mini';
import { shownWord, type UnknownWord } from '#domain/sql-word.ts';
import { callFunction } from '#core/platform/database.ts';
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

/** A parsed webhook event. */
export type WebhookEvent =
  | { kind: 'captured'; event: string; payment: ProviderPayment }
  | { kind: 'failed'; event: string; payment: ProviderPayment }
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
    if (payment.success) return { kind: 'failed', event, payment: payment.data };
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

/** What SQL `note_failed_payment` answers. */
export const failedPaymentOutcomes = ['recorded', 'closed', 'unknown_order', 'repeated'] as const;

/**
 * Records a failed payment, once. Many of them close their order and are an alert to the admin. Returns what became of it;
 * see `note_failed_payment`.
 */
export async function noteFailedPayment(
  eventId: string | null,
  { id, order_id: orderId }: ProviderPayment,
): Promise<(typeof failedPaymentOutcomes)[number] | UnknownWord> {
  const args = { p_event_id: eventId, p_payment_id: id, p_razorpay_order_id: orderId };
  const answer = z.object({ outcome: shownWord(failedPaymentOutcomes) });
  return (await callFunction('note_failed_payment', args, answer)).outcome;
}
