import type { SandboxPayment } from './entities.ts';
import { paymentEvent, type NewEvent } from './events.ts';
import type { Ledger } from './ledger.ts';
import { findOrder } from './orders.ts';
import { ProviderError } from './provider-error.ts';
import { refundUncaptured } from './refunds.ts';

/**
 * The bank says yes to a payment that counted as failed. It waits to be captured, or goes back at once when another payment has paid the
 * order: https://razorpay.com/docs/payments/payments/late-authorisation/
 */
export function authorizeLate(ledger: Ledger, payment: SandboxPayment): NewEvent[] {
  if (payment.status !== 'failed')
    throw new ProviderError('Only a failed payment can be authorized late');
  Object.assign(payment, {
    status: 'authorized',
    error_code: null,
    error_description: null,
    error_source: null,
    error_step: null,
    error_reason: null,
  });
  ledger.save({ payments: [payment] });
  const authorized = paymentEvent('payment.authorized', payment);
  const isPaid = findOrder(ledger, payment.order_id).status === 'paid';
  return isPaid ? [authorized, ...refundUncaptured(ledger, payment)] : [authorized];
}
