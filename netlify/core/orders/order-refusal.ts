import { minRefundPaise } from '#domain/admin/orders/order-requests.ts';
import { formatRupees } from '#domain/money.ts';
import type { UnknownWord } from '#domain/sql-word.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';

/** What SQL `set_fulfilment` answers. */
export const fulfilmentOutcomes = [
  'changed',
  'same',
  'not_found',
  'cancelled',
  'not_paid',
  'not_confirmed',
  'refunded',
  'too_far_back',
  'needs_document',
  'outdated',
] as const;
export type FulfilmentOutcome = (typeof fulfilmentOutcomes)[number];

/** What SQL `cancel_order` answers. */
export const cancelOutcomes = [
  'cancelled',
  'already',
  'not_found',
  'shipped',
  'check_payment_first',
  'paid_elsewhere',
] as const;
type CancelOutcome = (typeof cancelOutcomes)[number];

/** What SQL `change_order_details` answers. */
export const detailOutcomes = ['changed', 'not_found', 'sent', 'invoiced', 'conflict'] as const;
type DetailOutcome = (typeof detailOutcomes)[number];

/** What SQL `request_refund` answers. */
export const refundOutcomes = [
  'refunding',
  'already',
  'not_found',
  'not_paid',
  'too_much',
  'too_many_items',
] as const;
type RefundOutcome = (typeof refundOutcomes)[number];

/** What SQL `refund_payment` answers. */
export const paymentRefundOutcomes = ['refunding', 'already', 'not_found', 'nothing'] as const;

/** The database's refusals of a refund. */
export interface RefusedRefund {
  outcome: Exclude<RefundOutcome, 'refunding' | 'already' | 'not_found'> | UnknownWord;
  left_paise?: number | undefined;
  line_key?: string | undefined;
}

/** Why an order cannot take a step: the database's words, and what Razorpay says before a parcel leaves. @public */
export type Refusal =
  | Exclude<FulfilmentOutcome, 'changed' | 'same'>
  | Exclude<CancelOutcome, 'cancelled' | 'already'>
  | Exclude<DetailOutcome, 'changed' | 'conflict'>
  | 'refund_found'
  | UnknownWord;

const sentences: Readonly<Record<Refusal, string>> = {
  cancelled: 'This order is cancelled.',
  refunded: 'This order was fully refunded, so there is nothing to send.',
  refund_found:
    'Razorpay has refunded this payment, or part of it, outside the shop. Reload the order and check it before you send the parcel.',
  not_paid: 'This order is not paid yet.',
  not_confirmed: 'This order is to be paid at the door, and is not confirmed yet.',
  not_found: 'There is no such order.',
  sent: 'This order has been sent, so its details can no longer change. You can still change your note.',
  invoiced:
    'The invoice is issued and shows the place of supply and the GSTIN. Cancel the order and let the customer order again, or keep the state and the GSTIN.',
  outdated: 'This order is being changed right now. Please try again.',
  // It became a sale after it was read, so that no invoice was sent along.
  needs_document:
    'This order was just changed, and its invoice is still to be made. Please try again.',
  too_far_back: 'An order can go back by one step at a time.',
  shipped: 'This order has been sent. It can be refunded, but not cancelled.',
  paid_elsewhere: 'This order was not paid through this shop, so it cannot be refunded here.',
  check_payment_first:
    'It is not known yet whether this order was paid. Nothing was cancelled; please try again.',
  unknown_word:
    'This version of the shop does not know the answer. Reload the order to see what became of it.',
};

/** Why an order cannot take a step, as a sentence for the admin. @public */
export const refusalSentence = (refusal: Refusal): string => sentences[refusal];

/** 409 'not_possible' for a step that the order cannot take, with a sentence for the admin. */
export const notPossible = (refusal: Refusal): HttpError =>
  new HttpError(409, 'not_possible', refusalSentence(refusal));

/** 409 for a refund that cannot be: `too_much` or `not_paid`; `not_possible` when it is not known what became of it. */
export function refundRefused(
  { outcome, left_paise: left = 0, line_key: key = '' }: RefusedRefund,
  nameOf: (key: string) => string,
): HttpError {
  switch (outcome) {
    case 'too_much': {
      const message =
        left < minRefundPaise
          ? 'This payment has already been refunded in full.'
          : `You can refund at most ${formatRupees(left)}.`;
      return new HttpError(409, 'too_much', message, { left_paise: left });
    }
    case 'too_many_items': {
      const message = `You cannot return that many of “${nameOf(key)}” to stock.`;
      return new HttpError(409, 'too_much', message, { line_key: key });
    }
    case 'not_paid':
      return new HttpError(409, 'not_paid', 'This order has no payment that can be refunded.');
    case 'unknown_word':
      return notPossible(outcome);
  }
}

/** Throws 502 with a sentence for the admin when the payment service did not answer; other errors as they are. */
export function providerUnreachable(error: unknown): never {
  if (!(error instanceof PaymentProviderError)) throw error;
  const sentence =
    'Razorpay did not answer, so it is not known whether this order was paid. Nothing was cancelled; please try again.';
  throw new HttpError(502, 'payment_provider', sentence, {}, error);
}
