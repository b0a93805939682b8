import { PaymentProviderError } from './payment-provider-error.ts';
import type { PaymentProvider } from './razorpay.ts';
import type { ProviderList, ProviderPayment } from './razorpay-entities.ts';

/** An order's payments at the provider; null when the provider does not know the order. @throws PaymentProviderError */
export async function fetchPaymentsOf(
  provider: PaymentProvider,
  razorpayOrderId: string,
): Promise<ProviderList<ProviderPayment> | null> {
  try {
    return await provider.fetchOrderPayments(razorpayOrderId);
  } catch (error) {
    if (error instanceof PaymentProviderError && error.isUnknownId) return null;
    throw error;
  }
}
