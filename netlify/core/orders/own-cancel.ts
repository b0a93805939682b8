import * as z from 'zod/mini';
import { invoiceDocument } from '#domain/invoice/invoice.ts';
import type { OwnCancel } from '#domain/orders/own-cancel.ts';
import { shownWord, type UnknownWord } from '#domain/sql-word.ts';
import { seller } from '#settings/seller.ts';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';
import type { PaymentProvider } from '#core/payments/razorpay.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { orderNotFound, readOrderRecord, type OrderRecord } from './order-record.ts';
import { cancelOutcomes } from './order-refusal.ts';
import { confirmCapturedFirst } from './order-steps.ts';

/** What SQL `cancel_own_order` answers, which ends in `cancel_order`. */
export const ownCancelOutcomes = [
  ...cancelOutcomes,
  'paid',
  'not_paid',
  'refunded',
  'ask',
  'limit',
  'needs_document',
  'outdated',
] as const;
type OwnCancelOutcome = (typeof ownCancelOutcomes)[number];

const answerSchema = z.object({
  outcome: shownWord(ownCancelOutcomes),
  razorpay_order_id: z.optional(z.string()),
});

const unclear = 'This order is being changed right now. Nothing was cancelled; please try again.';
const sentences: Readonly<
  Record<Exclude<OwnCancelOutcome, 'cancelled' | 'already' | 'not_found'> | UnknownWord, string>
> = {
  paid: 'Your payment has arrived, so this order is paid now. Nothing was cancelled.',
  refunded: 'Your payment for this order has been refunded. There is nothing to cancel.',
  not_paid: 'This order is not paid, so there is nothing to refund.',
  limit:
    'A person looks at this cancellation before your money goes back. We have received your request and write to you soon.',
  ask: 'Only we can cancel this order, because it is already packed or sent, is a replacement, was not paid here, or its payment is disputed. Please write to us.',
  shipped: 'This order is already on its way. If something is wrong, write to us.',
  paid_elsewhere: 'This order was not paid here, so only we can cancel it. Please write to us.',
  check_payment_first:
    'We do not know yet whether this order is paid. Nothing was cancelled; please try again.',
  needs_document: unclear,
  outdated: unclear,
  unknown_word:
    'We do not know whether this order was cancelled. Reload the page to see it, or write to us.',
};
const needsInvoice: ReadonlySet<string> = new Set(['needs_document', 'outdated']);
const unreachable =
  'The payment service did not answer, so we do not know whether this order is paid. Nothing was cancelled; please try again.';

/**
 * Cancels the customer's own order before it is packed. The provider is queried about an unpaid one first. What was paid is
 * owed back and sent afterwards; the platform fee only if `refunds.returnsPlatformFee` of the shop is set. `network` is a keyed hash. Throws 404,
 * 409 `not_possible`, or 502 when the provider cannot be reached.
 */
export async function cancelOwnOrder(
  userId: string,
  id: number,
  { key, paid }: OwnCancel,
  network: string | null,
  openProvider: () => PaymentProvider,
): Promise<void> {
  const cancel = async (checked: boolean, record?: OrderRecord) =>
    callFunction(
      'cancel_own_order',
      {
        p_user_id: userId,
        p_order_id: id,
        p_key: key,
        p_paid: paid,
        p_payment_checked: checked,
        p_network: network,
        p_keep_fee: !seller.refunds.returnsPlatformFee,
        p_document: record === undefined ? null : invoiceDocument(record.order, record.facts),
        p_revision: record?.revision ?? null,
      },
      answerSchema,
    );
  let answer = await cancel(false);
  if (answer.outcome === 'check_payment_first' && answer.razorpay_order_id !== undefined) {
    try {
      await confirmCapturedFirst(openProvider(), answer.razorpay_order_id);
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      throw new HttpError(502, 'payment_provider', unreachable, {}, error);
    }
    answer = await cancel(true);
  }
  // A fee that is not returned needs an invoice. Retries when the order changed after it was read.
  for (let tries = 0; tries < 3 && needsInvoice.has(answer.outcome); tries += 1)
    answer = await cancel(true, await readOrderRecord(id));
  if (answer.outcome === 'cancelled' || answer.outcome === 'already') return;
  if (answer.outcome === 'not_found') throw orderNotFound();
  throw new HttpError(409, 'not_possible', sentences[answer.outcome]);
}
