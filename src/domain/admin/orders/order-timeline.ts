import { formatRupees } from '#domain/money.ts';
import { isByHand, paymentMethodLabel } from '#domain/orders/order-payment.ts';
import { reasonInHistory } from '#domain/orders/payment-reasons.ts';
import { channelLabel } from '#domain/orders/sales-channel.ts';
import { orderDetailLabels } from './order-details.ts';
import type { AdminOrder } from './orders.ts';
import { failureText } from './refund-notes.ts';

/** One line of an order's history. `trouble` marks what needs the admin's attention. */
export interface TimelineEntry {
  at: string;
  title: string;
  detail: string | null;
  trouble: boolean;
}

const entry = (
  at: string,
  title: string,
  detail: string | null = null,
  trouble = false,
): TimelineEntry => ({
  at,
  title,
  detail,
  trouble,
});

const joined = (...parts: readonly (string | null)[]): string | null =>
  parts.filter(Boolean).join(' · ') || null;

const paymentTitles = {
  accepted: 'paid',
  refund_due: 'came that could not be used; it goes back',
  refunded: 'came that could not be used; it went back',
  unmatched: 'came that waits for you',
} as const;

function payments(order: AdminOrder): TimelineEntry[] {
  return order.payments.map(({ paymentId, amountPaise, state, reason, at }) => {
    const what =
      state === 'refunded' && reason === null ? paymentTitles.accepted : paymentTitles[state];
    const own = paymentId === order.paymentId;
    const method =
      own && order.paymentMethod ? `by ${paymentMethodLabel(order.paymentMethod)}` : null;
    const id = isByHand(paymentId)
      ? joined('taken by hand', own ? order.paymentReference : null)
      : paymentId;
    return entry(
      at,
      `${formatRupees(amountPaise)} ${what}`,
      joined(method, id, reason === null ? null : reasonInHistory[reason]),
      state === 'unmatched',
    );
  });
}

const refundTitles = {
  due: 'is about to go back',
  requested: 'is on its way back',
  processed: 'went back to the customer',
  failed: 'could not be sent back',
} as const;

/**
 * Why a refund was made. One of a payment that could not be used has the payment's reason, as a word; any other has what the admin
 * typed, as it is.
 */
function refundReason(order: AdminOrder, paymentId: string, reason: string | null): string | null {
  if (reason === 'made_at_razorpay') return 'Made at Razorpay, outside the shop';
  const word = order.payments.find((payment) => payment.paymentId === paymentId)?.reason ?? null;
  return word === null || reason === null ? reason : reasonInHistory[word];
}

function refunds(order: AdminOrder): TimelineEntry[] {
  return order.refunds.map(
    ({ paymentId, amountPaise, state, reason, lastError, razorpayRefundId, at }) =>
      entry(
        at,
        `${formatRupees(amountPaise)} ${isByHand(paymentId) ? 'was paid back by hand' : refundTitles[state]}`,
        joined(
          refundReason(order, paymentId, reason),
          razorpayRefundId,
          state === 'processed' || lastError === null ? null : failureText(lastError),
        ),
        state === 'failed',
      ),
  );
}

const mailNames: Readonly<Record<string, string>> = {
  order_confirmation: 'Confirmation',
  order_notice: 'Notice of the order',
  shipped_notice: 'Shipping note',
  invoice_mail: 'Invoice',
  order_cancelled: 'Cancellation note',
  refund_notice: 'Refund note',
  refund_alert: 'Refund alert',
  cash_order_placed: 'Thanks for the order',
  cash_order_confirmed: 'Confirmation',
  cash_order_ended: 'Note that it has ended',
};

/** 'order_confirmation' → 'Confirmation'. Unknown kinds are shown without underscores. */
function mailName(kind: string): string {
  const text = kind.replaceAll('_', ' ');
  return mailNames[kind] ?? text.charAt(0).toUpperCase() + text.slice(1);
}

function mails(order: AdminOrder): TimelineEntry[] {
  return order.mails.map(({ kind, recipient, at, sentAt, attempts, lastError }) => {
    const name = `${mailName(kind)} to ${recipient ?? 'you'}`;
    if (sentAt !== null) return entry(sentAt, name, 'Mail sent');
    // An attempt counts from its beginning: the first one without an error is under way.
    if (attempts === 0 || (attempts === 1 && lastError === null))
      return entry(at, name, 'Mail is about to be sent');
    const tried = attempts === 1 ? 'once' : `${String(attempts)} times`;
    return entry(at, name, `Mail not sent yet, tried ${tried}`, true);
  });
}

function changes(order: AdminOrder): TimelineEntry[] {
  const labels: Readonly<Record<string, string>> = orderDetailLabels;
  return order.changes.map(({ field, oldValue, newValue, at, by }) =>
    field === 'adminNote'
      ? entry(at, newValue === '' ? 'Note removed' : 'Note', newValue || oldValue)
      : entry(
          at,
          `${labels[field] ?? field} ${by === 'customer' ? 'changed by the customer' : 'corrected'}`,
          `${oldValue || 'none'} → ${newValue || 'none'}`,
        ),
  );
}

function steps(order: AdminOrder): TimelineEntry[] {
  const parcel = joined(order.carrier, order.trackingNumber);
  const known: readonly (readonly [string | null, string, string | null])[] = [
    [
      order.createdAt,
      order.channel === null ? 'Ordered' : `Sold outside the shop: ${channelLabel(order.channel)}`,
      order.reference,
    ],
    [order.cash?.confirmedAt ?? null, 'Confirmed', 'To be paid at the door'],
    [order.packedAt, 'Packed', null],
    [order.shippedAt, 'Shipped', parcel],
    [order.deliveredAt, 'Delivered', null],
    [order.cancelledAt, 'Cancelled', null],
  ];
  return known.flatMap(([at, title, detail]) => (at === null ? [] : [entry(at, title, detail)]));
}

/** Everything that happened to an order, oldest first. */
export function orderTimeline(order: AdminOrder): TimelineEntry[] {
  const all = [
    ...steps(order),
    ...payments(order),
    ...refunds(order),
    ...changes(order),
    ...mails(order),
  ];
  return all.sort((a, b) => (Date.parse(a.at) || 0) - (Date.parse(b.at) || 0));
}
