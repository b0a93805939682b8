import * as z from 'zod/mini';
import type {
  CancelRequest,
  FulfilmentChange,
  RefundRequest,
} from '#domain/admin/orders/order-requests.ts';
import { lineKey } from '#domain/catalogue/sizes.ts';
import { invoiceDocument } from '#domain/invoice/invoice.ts';
import { trackingLink } from '#domain/orders/carriers.ts';
import { shownWord, unknownWord, type UnknownWord } from '#domain/sql-word.ts';
import type { AdminSession } from '#core/auth/admin-session.ts';
import { releaseOrder } from '#core/checkout/orders.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import type { PaymentProvider } from '#core/payments/razorpay.ts';
import { markPaid } from '#core/payments/confirm-payment.ts';
import { fetchPaymentsOf } from '#core/payments/order-payments.ts';
import { requireConfirmedRefund } from './large-refund.ts';
import { orderNotFound, readOrderRecord, type OrderRecord } from './order-record.ts';
import {
  cancelOutcomes,
  fulfilmentOutcomes,
  notPossible,
  paymentRefundOutcomes,
  refundOutcomes,
  refundRefused,
  type FulfilmentOutcome,
} from './order-refusal.ts';
import { requireNoNewRefund } from './refund-check.ts';

const fulfilmentSchema = z.object({ outcome: shownWord(fulfilmentOutcomes) });
const cancelSchema = z.object({
  outcome: shownWord(cancelOutcomes),
  razorpay_order_id: z.optional(z.string()),
});
const refundSchema = z.object({
  outcome: shownWord(refundOutcomes),
  left_paise: z.optional(z.int()),
  line_key: z.optional(z.string()),
});
const paymentRefundSchema = z.object({ outcome: shownWord(paymentRefundOutcomes) });

const shippedStates: ReadonlySet<string> = new Set(['shipped', 'delivered']);

/**
 * Moves an order one step. Before it ships, checks at Razorpay whether its payment was refunded. Throws
 * 404, or 409 `not_possible` or `refunds_unknown` with a sentence.
 */
export async function changeFulfilment(
  id: number,
  change: FulfilmentChange,
  openProvider: () => PaymentProvider,
): Promise<void> {
  // Retries when the order changed after it was read, so that the invoice shows its current details.
  for (let tries = 0; tries < 3; tries += 1) {
    const outcome = await tryFulfilment(id, change, openProvider);
    if (outcome === 'changed' || outcome === 'same') return;
    if (outcome === 'not_found') throw orderNotFound();
    if (outcome !== 'outdated') throw notPossible(outcome);
  }
  throw notPossible('outdated');
}

/** Reads the order and takes the step. Returns the database's response. */
async function tryFulfilment(
  id: number,
  change: FulfilmentChange,
  openProvider: () => PaymentProvider,
): Promise<FulfilmentOutcome | UnknownWord> {
  const record = await readOrderRecord(id);
  const { delivery } = record.order;
  const leavesShop = shippedStates.has(change.state) && !shippedStates.has(delivery.fulfilment);
  if (leavesShop && change.unchecked !== true) await requireNoNewRefund(record.order, openProvider);
  const parcel = change.state === 'shipped' ? change : null;
  // Shipping issues the invoice in the same transaction, from the current order and products.
  const needsInvoice =
    shippedStates.has(change.state) && record.order.delivery.invoiceNumber === null;
  const { outcome } = await callFunction(
    'set_fulfilment',
    {
      p_order_id: id,
      p_state: change.state,
      p_carrier: parcel?.carrier ?? null,
      p_tracking_number: parcel?.trackingNumber ?? null,
      p_tracking_url:
        parcel === null
          ? null
          : parcel.trackingUrl || trackingLink(parcel.carrier, parcel.trackingNumber),
      p_document: needsInvoice ? invoiceDocument(record.order, record.facts) : null,
      p_revision: record.revision,
    },
    fulfilmentSchema,
  );
  return outcome;
}

/** The name of a line of an order by its key. @public */
export const nameIn =
  ({ order }: OrderRecord) =>
  (key: string): string =>
    order.items.find(({ productId, size }) => lineKey(productId ?? '', size) === key)?.name ??
    'This product';

/** {line key: quantity}, as SQL takes it. @public */
export function quantityByLine(list: RefundRequest['items']): Record<string, number> {
  const quantities: Record<string, number> = {};
  for (const { productId, size, quantity } of list) {
    const key = lineKey(productId.toLowerCase(), size);
    quantities[key] = (quantities[key] ?? 0) + quantity;
  }
  return quantities;
}

/** Records a refund that is due, once per key; it is sent afterwards. Throws 403, 404, or 409 `too_much` or `not_paid`. */
export async function requestRefund(
  session: AdminSession,
  id: number,
  { key, amountPaise, reason, items, restock }: RefundRequest,
): Promise<void> {
  const quantities = { p_items: quantityByLine(items), p_restock: quantityByLine(restock) };
  const args = {
    p_order_id: id,
    p_key: key,
    p_amount_paise: amountPaise,
    p_reason: reason,
    ...quantities,
  };
  await requireConfirmedRefund(session, { orderId: id, amountPaise });
  const { outcome, ...details } = await callFunction('request_refund', args, refundSchema);
  if (outcome === 'refunding' || outcome === 'already') return;
  if (outcome === 'not_found') throw orderNotFound();
  throw refundRefused({ outcome, ...details }, nameIn(await readOrderRecord(id)));
}

/*
 * Like the sweep, queries the provider before an order counts as unpaid. Records a captured payment,
 * so that cancelling refunds it.
 */
export async function confirmCapturedFirst(
  provider: PaymentProvider,
  razorpayOrderId: string,
): Promise<void> {
  const payments = (await fetchPaymentsOf(provider, razorpayOrderId))?.items ?? [];
  for (const payment of payments.filter(({ status }) => status === 'captured'))
    await markPaid(payment, provider.keyId);
  if (payments.some(({ status }) => status === 'authorized')) {
    const sentence =
      'A payment for this order is arriving right now. Please try again in a few minutes.';
    throw new HttpError(409, 'not_possible', sentence);
  }
}

/**
 * Cancels an order that has not been sent; what was paid is owed back and sent afterwards. Throws 403, 404, 409
 * `not_possible`, or a PaymentProviderError when the provider must be queried and does not answer: nothing is cancelled then.
 */
export async function cancelOrder(
  session: AdminSession,
  id: number,
  { key, reason, restock }: CancelRequest,
  openProvider: () => PaymentProvider,
): Promise<void> {
  const args = { p_order_id: id, p_key: key, p_reason: reason, p_restock: restock };
  await requireConfirmedRefund(session, { orderId: id });
  let answer = await callFunction(
    'cancel_order',
    { ...args, p_payment_checked: false },
    cancelSchema,
  );
  if (answer.outcome === 'check_payment_first' && answer.razorpay_order_id !== undefined) {
    await confirmCapturedFirst(openProvider(), answer.razorpay_order_id);
    await requireConfirmedRefund(session, { orderId: id });
    answer = await callFunction('cancel_order', { ...args, p_payment_checked: true }, cancelSchema);
  }
  if (answer.outcome === 'cancelled' || answer.outcome === 'already') return;
  if (answer.outcome === 'not_found') throw orderNotFound();
  throw notPossible(answer.outcome);
}

/**
 * Ends the hold of an unpaid order before its time, so that others can buy its stock. Throws 404, 409 `not_possible` when it is
 * being paid, or a PaymentProviderError when the provider does not answer: then nothing has ended.
 */
export async function endHold(id: number, openProvider: () => PaymentProvider): Promise<void> {
  const { order } = await readOrderRecord(id);
  if (order.razorpayOrderId !== null)
    await confirmCapturedFirst(openProvider(), order.razorpayOrderId);
  if ((await releaseOrder(id, 'ended_by_admin')) === 'paid') {
    const sentence = 'The customer has just paid this order, so its pieces are sold.';
    throw new HttpError(409, 'not_possible', sentence);
  }
}

/** Sends back a payment that matches no order, or tries a failed refund again. Throws 403, 404, or 409 when there is nothing to do. */
export async function requestPaymentRefund(
  session: AdminSession,
  paymentId: string,
  key: string,
): Promise<void> {
  await requireConfirmedRefund(session, { paymentId });
  const { outcome } = await callFunction(
    'refund_payment',
    { p_payment_id: paymentId, p_key: key },
    paymentRefundSchema,
  );
  if (outcome === 'refunding' || outcome === 'already') return;
  if (outcome === 'not_found') throw new HttpError(404, 'not_found', 'This payment was not found.');
  if (outcome === unknownWord) throw notPossible(outcome);
  throw new HttpError(
    409,
    'not_possible',
    'This payment belongs to an order, or has already been refunded.',
  );
}
