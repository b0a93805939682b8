import { minRefundPaise } from '#domain/admin/orders/order-requests.ts';
import { formatRupees } from '#domain/money.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';

/** The database's refusals of admin actions. */
export interface Refused {
  outcome: string;
  left_paise?: number | undefined;
  line_key?: string | undefined;
}

const sentences: Readonly<Record<string, string>> = {
  cancelled: 'This order is cancelled.',
  refunded: 'This order was fully refunded, so there is nothing to send.',
  refund_found:
    'Razorpay has refunded this payment, or part of it, outside the shop. Reload the order and check it before you send the parcel.',
  not_paid: 'This order is not paid yet.',
  not_confirmed: 'This order is to be paid at the door, and is not confirmed yet.',
  not_found: 'There is no such order.',
  hand_over: 'This order is handed over in person, so it has no parcel.',
  shipped_otherwise:
    'This order is already on its way with another number. Correct it in the order itself.',
  sent: 'This order has been sent, so its details can no longer change. You can still change your note.',
  invoiced:
    'The invoice is issued and shows the place of supply and the GSTIN. Cancel the order and let the customer order again, or keep the state and the GSTIN.',
  outdated: 'This order is being changed right now. Please try again.',
  too_far_back: 'An order can go back by one step at a time.',
  shipped: 'This order has been sent. It can be refunded, but not cancelled.',
  paid_elsewhere: 'This order was not paid through this shop, so it cannot be refunded here.',
};

/** Why an order cannot take a step, as a sentence for the admin. @public */
export const refusalSentence = (outcome: string): string =>
  sentences[outcome] ?? 'This is not possible for this order in its current state.';

/** 409 'not_possible' for a step that the order cannot take, with a sentence for the admin. */
export const notPossible = (outcome: string): HttpError =>
  new HttpError(409, 'not_possible', refusalSentence(outcome));

/** 409 for a refund that cannot be: `too_much` or `not_paid`. */
export function refundRefused(
  { outcome, left_paise: left = 0, line_key: key = '' }: Refused,
  nameOf: (key: string) => string,
): HttpError {
  if (outcome === 'too_much') {
    const message =
      left < minRefundPaise
        ? 'This payment has already been refunded in full.'
        : `You can refund at most ${formatRupees(left)}.`;
    return new HttpError(409, 'too_much', message, { left_paise: left });
  }
  if (outcome === 'too_many_items') {
    const message = `You cannot return that many of “${nameOf(key)}” to stock.`;
    return new HttpError(409, 'too_much', message, { line_key: key });
  }
  return new HttpError(409, 'not_paid', 'This order has no payment that can be refunded.');
}

/** Throws 502 with a sentence for the admin when the payment service did not answer; other errors as they are. */
export function providerUnreachable(error: unknown): never {
  if (!(error instanceof PaymentProviderError)) throw error;
  const sentence =
    'Razorpay did not answer, so it is not known whether this order was paid. Nothing was cancelled; please try again.';
  throw new HttpError(502, 'payment_provider', sentence, {}, error);
}
