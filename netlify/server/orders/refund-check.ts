import * as z from 'zod/mini';
import { callFunction } from '../platform/database.ts';
import { ConfigurationError } from '../platform/env.ts';
import { HttpError } from '../platform/http/http-error.ts';
import { PaymentProviderError } from '../payments/payment-provider-error.ts';
import type { PaymentProvider } from '../payments/razorpay.ts';
import { paymentIdSchema } from '../payments/razorpay-entities.ts';
import { recordRefundsOf } from '../payments/refunds.ts';
import { notPossible } from './order-refusal.ts';

const unchecked = (cause: unknown): HttpError =>
  new HttpError(
    409,
    'refunds_unknown',
    'Razorpay did not answer, so we do not know whether this payment was refunded there. Check the payment in the Razorpay dashboard. Press again to continue without the check.',
    {},
    cause,
  );

/**
 * Queries the provider, before a parcel leaves the shop, for refunds of its payment that nobody has reported, and records
 * them. A payment that did not come through Razorpay is not queried. Throws HttpError 409: `not_possible` when it found
 * one, `refunds_unknown` when the provider did not answer.
 */
export async function requireNoNewRefund(
  paymentId: string | null,
  openProvider: () => PaymentProvider,
): Promise<void> {
  const { success: isRazorpay, data: id } = paymentIdSchema.safeParse(paymentId);
  if (!isRazorpay) return;
  try {
    const provider = openProvider();
    const { order_id, amount, amount_refunded } = await provider.fetchPayment(id);
    const differences = await callFunction(
      'compare_payments',
      { p_payments: [{ id, order_id, amount, amount_refunded }] },
      z.array(z.object({ kind: z.string() })),
    );
    if (!differences.some(({ kind }) => kind === 'refunds_differ')) return;
    await recordRefundsOf(provider, id);
  } catch (error) {
    const isNotConfigured = error instanceof ConfigurationError;
    if (error instanceof PaymentProviderError || isNotConfigured) throw unchecked(error);
    throw error;
  }
  throw notPossible('refund_found');
}
