import * as z from 'zod/mini';
import { callFunction } from '#core/platform/database.ts';
import { PaymentProviderError } from './payment-provider-error.ts';
import type { PaymentProvider } from './razorpay.ts';

/**
 * Whether an order at the provider is this shop's: its receipt begins with the shop's prefix, or with one that it had before
 * (SQL `is_own_reference`). An order that the provider does not know under these keys is another account's, or the other
 * mode's. Throws PaymentProviderError when the provider does not answer.
 */
export async function isOwnOrder(
  provider: PaymentProvider,
  razorpayOrderId: string,
): Promise<boolean> {
  const receipt = await readReceipt(provider, razorpayOrderId);
  if (receipt === null) return false;
  return callFunction('is_own_reference', { p_reference: receipt }, z.boolean());
}

async function readReceipt(
  provider: PaymentProvider,
  razorpayOrderId: string,
): Promise<string | null> {
  try {
    return (await provider.fetchOrder(razorpayOrderId)).receipt ?? null;
  } catch (error) {
    if (error instanceof PaymentProviderError && error.isUnknownId) return null;
    throw error;
  }
}

const unknownSchema = z.object({ payment_id: z.string(), razorpay_order_id: z.string() });

/**
 * Queries the provider for the origin of payments without an order here: one payment's, or the oldest. The admin can refund this
 * shop's only. Returns how many are settled. Throws PaymentProviderError when the provider does not answer.
 */
export async function settlePaymentOrigins(
  provider: PaymentProvider,
  {
    paymentId = null,
    deadline = Date.now() + 10_000,
  }: { paymentId?: string | null; deadline?: number } = {},
): Promise<{ settled: number }> {
  const unknown = await callFunction(
    'payments_of_unknown_origin',
    { p_limit: 20, p_payment_id: paymentId },
    z.array(unknownSchema),
  );
  let settled = 0;
  for (const { payment_id: id, razorpay_order_id: orderId } of unknown) {
    if (Date.now() > deadline) break;
    const args = { p_payment_id: id, p_is_ours: await isOwnOrder(provider, orderId) };
    await callFunction('settle_payment_origin', args, z.unknown());
    settled += 1;
  }
  return { settled };
}
