import * as z from 'zod/mini';
import type { Order } from '#domain/orders/order.ts';
import { callFunction } from '#core/platform/database.ts';
import { ConfigurationError } from '#core/platform/env.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';
import type { PaymentProvider } from '#core/payments/razorpay.ts';
import { paymentIdSchema } from '#core/payments/razorpay-entities.ts';
import { recordRefundsOf } from '#core/payments/refunds.ts';
import { notPossible } from './order-refusal.ts';

/** Whether a payment has a refund that nobody has reported; 'unknown' when Razorpay could not say. */
type RefundCheck = { found: boolean } | { found: 'unknown'; answered: boolean; cause: unknown };

/**
 * Queries the provider, before a parcel leaves the shop, for refunds of its payment that nobody has reported, and records
 * them. A payment that did not come through Razorpay is not queried.
 *
 * @public
 */
export async function checkForRefund(
  paymentId: string | null,
  openProvider: () => PaymentProvider,
): Promise<RefundCheck> {
  const { success: isRazorpay, data: id } = paymentIdSchema.safeParse(paymentId);
  if (!isRazorpay) return { found: false };
  try {
    const provider = openProvider();
    const { order_id, amount, amount_refunded } = await provider.fetchPayment(id);
    const differences = await callFunction(
      'compare_payments',
      { p_payments: [{ id, order_id, amount, amount_refunded }] },
      z.array(z.object({ kind: z.string() })),
    );
    if (!differences.some(({ kind }) => kind === 'refunds_differ')) return { found: false };
    await recordRefundsOf(provider, id);
    return { found: true };
  } catch (error) {
    if (error instanceof PaymentProviderError)
      return { found: 'unknown', answered: error.isUnknownId, cause: error };
    if (error instanceof ConfigurationError)
      return { found: 'unknown', answered: false, cause: error };
    throw error;
  }
}

/** The most order numbers that one sentence names. */
const maxNamed = 3;

/**
 * The refusal that the admin may answer by pressing again, with the orders whose payments could not be checked.
 *
 * @public
 */
export function refundsUnknown(
  orders: readonly string[],
  { answered, cause }: { answered: boolean; cause: unknown },
): HttpError {
  const one = orders.length === 1;
  const more = orders.length - maxNamed;
  const named = `order ${orders.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
  const what = answered
    ? `does not know the ${one ? 'payment' : 'payments'} of`
    : `did not answer about the ${one ? 'payment' : 'payments'} of`;
  return new HttpError(
    409,
    'refunds_unknown',
    `Razorpay ${what} ${named}, so it is not known whether ${one ? 'it was' : 'they were'} refunded there. Check ${one ? 'it' : 'them'} in the Razorpay dashboard. Press again to continue without the check.`,
    {},
    cause,
  );
}

/**
 * Checks the payment of one order before it ships. Throws HttpError 409: `not_possible` when there is a refund that nobody
 * has reported, `refunds_unknown` when Razorpay could not say.
 */
export async function requireNoNewRefund(
  { id, paymentId, cash }: Pick<Order, 'id' | 'paymentId' | 'cash'>,
  openProvider: () => PaymentProvider,
): Promise<void> {
  const check = await checkForRefund(cash?.advancePaymentId ?? paymentId, openProvider);
  if (check.found === 'unknown') throw refundsUnknown([id], check);
  if (check.found) throw notPossible('refund_found');
}
