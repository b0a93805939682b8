import { indiaMoment } from '#domain/india-dates.ts';
import { formatRupees, type Paise } from '#domain/money.ts';
import { isByHand } from '#domain/orders/order-payment.ts';
import type { AdminOrder } from './orders.ts';

type Refund = AdminOrder['refunds'][number];

/** Why the last attempt failed, as a sentence instead of a code such as 'failed SERVER_ERROR' or 'unreachable none'. */
export const failureText = (lastError: string): string =>
  lastError.startsWith('unreachable') ? 'Razorpay did not answer' : 'Razorpay refused it';

function noteOf(refund: Refund): string | null {
  const { amountPaise, state, lastError, triedAt, nextTryAt, disputed } = refund;
  const amount = formatRupees(amountPaise);
  if (state === 'due' && disputed)
    return `${amount} waits for the bank, because the payment is disputed. If the money stays with you, it goes back to the customer by itself.`;
  if (state === 'due') {
    return lastError === null
      ? `${amount} is about to go back to the customer.`
      : `${amount} has not reached the customer yet. ${failureText(lastError)} on ${indiaMoment(triedAt)}. The shop tries again by itself, next on ${indiaMoment(nextTryAt)}.`;
  }
  if (state === 'requested')
    return `${amount} is on its way back. Razorpay accepted it on ${indiaMoment(triedAt)}; a bank takes up to seven working days.`;
  return null;
}

/** One sentence for each refund that the shop still works on, and one when the admin must act. */
export function refundNotes({
  refunds,
  openRefund,
}: Pick<AdminOrder, 'refunds' | 'openRefund'>): string[] {
  const notes = refunds.flatMap((refund) => noteOf(refund) ?? []);
  if (openRefund !== 'failed') return notes;
  const failed = refunds.findLast(({ state }) => state === 'failed');
  return failed === undefined
    ? notes
    : [
        ...notes,
        `${formatRupees(failed.amountPaise)} could not be sent back, and the shop has stopped trying. Open Today and press ‘Try again’, or refund it in the Razorpay dashboard.`,
      ];
}

/** How much of an order's refunds has reached the customer, and how much has not. Paise. */
export function refundSums({
  refunds,
  refundedPaise,
}: Pick<AdminOrder, 'refunds' | 'refundedPaise'>): { done: Paise; open: Paise } {
  const open = refunds
    .filter(
      ({ state, paymentId }) => (state === 'due' || state === 'requested') && !isByHand(paymentId),
    )
    .reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  const counted = Math.min(open, refundedPaise);
  return { done: refundedPaise - counted, open: counted };
}
