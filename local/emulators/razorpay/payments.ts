import * as z from 'zod';
import { newId, unixNow, type SandboxPayment } from './entities.ts';
import { paymentEvent, orderPaidEvent, type NewEvent } from './events.ts';
import type { Ledger } from './ledger.ts';
import { findOrder, parseInput } from './orders.ts';
import { ProviderError } from './provider-error.ts';

/** How a test or the dialog pays. Every field is optional. */
export const attemptSchema = z.object({
  // In test mode there is no UPI by QR code or app, and the shop hides the third way, typing an address.
  method: z.enum(['upi', 'card', 'netbanking', 'wallet']).default('card'),
  /** Paise. An amount other than the order's makes a payment that the shop must not accept for it. */
  amount: z.coerce.number().int().positive().optional(),
  /** `authorized` is a payment that the bank holds but Razorpay has not captured yet. */
  status: z.enum(['captured', 'authorized']).default('captured'),
  /** Pays an order that is paid or authorized already: Razorpay refuses that, and the shop must survive it all the same. */
  again: z.union([z.boolean(), z.enum(['true', 'on']).transform(() => true)]).default(false),
  email: z.string().max(255).default('void@razorpay.com'),
  contact: z.string().max(30).default('+919999999999'),
  description: z.string().max(500).nullable().default(null),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** Pays an order. Returns the payment and the events that the provider would send about it. */
export function payOrder(
  ledger: Ledger,
  orderId: string,
  attempt: Attempt,
): { payment: SandboxPayment; events: NewEvent[] } {
  const order = findOrder(ledger, orderId);
  if (order.status === 'paid' && !attempt.again)
    throw new ProviderError('Payment already done for this order.');
  const isAuthorized = ledger.records.payments.some(
    (payment) => payment.order_id === order.id && payment.status === 'authorized',
  );
  if (isAuthorized && !attempt.again)
    throw new ProviderError('A payment of this order is authorized already.');
  const payment = newPayment(order.id, attempt.amount ?? order.amount, order.currency, attempt);
  ledger.records.payments.unshift(payment);
  order.attempts += 1;
  if (order.status === 'created') order.status = 'attempted';
  const events = [
    paymentEvent('payment.authorized', { ...payment, status: 'authorized', captured: false }),
  ];
  if (attempt.status === 'captured') events.push(...capture(ledger, payment));
  ledger.save({ payments: [payment], orders: [order] });
  return { payment, events };
}

/** Captures an authorised payment, as automatic capture does. */
export function capture(ledger: Ledger, payment: SandboxPayment): NewEvent[] {
  if (payment.status !== 'authorized')
    throw new ProviderError('This payment has already been captured');
  const order = findOrder(ledger, payment.order_id);
  payment.status = 'captured';
  payment.captured = true;
  payment.fee = Math.round(payment.amount * 0.0236);
  payment.tax = Math.round(payment.amount * 0.0036);
  order.status = 'paid';
  order.amount_paid = order.amount;
  order.amount_due = 0;
  ledger.save({ payments: [payment], orders: [order] });
  return [paymentEvent('payment.captured', payment), orderPaidEvent(order, payment)];
}

/** POST /v1/payments/:id/capture {amount, currency}. */
export function captureByRequest(
  ledger: Ledger,
  id: string,
  input: unknown,
): { payment: SandboxPayment; events: NewEvent[] } {
  const payment = findPayment(ledger, id);
  const { amount } = parseInput(
    z.strictObject({ amount: z.coerce.number().int(), currency: z.string() }),
    input,
  );
  if (amount !== payment.amount) {
    throw new ProviderError('Capture amount must be equal to the amount authorized', {
      field: 'amount',
    });
  }
  if (findOrder(ledger, payment.order_id).status === 'paid') {
    throw new ProviderError(
      'Your payment has been declined as the order is already paid. Please initiate the payment with a new order.',
    );
  }
  return { payment, events: capture(ledger, payment) };
}

export const failure = {
  error_code: 'BAD_REQUEST_ERROR',
  error_description:
    'Your payment was declined by the bank. Try another payment method or contact your bank.',
  error_source: 'bank',
  error_step: 'payment_authorization',
  error_reason: 'payment_failed',
} as const;

/** A failed attempt at an order. */
export function failOrder(
  ledger: Ledger,
  orderId: string,
  attempt: Attempt,
): { payment: SandboxPayment; events: NewEvent[] } {
  const order = findOrder(ledger, orderId);
  const payment: SandboxPayment = {
    ...newPayment(order.id, order.amount, order.currency, attempt),
    status: 'failed',
    ...failure,
  };
  ledger.records.payments.unshift(payment);
  order.attempts += 1;
  if (order.status === 'created') order.status = 'attempted';
  ledger.save({ payments: [payment], orders: [order] });
  return { payment, events: [paymentEvent('payment.failed', payment)] };
}

export function findPayment(ledger: Ledger, id: string): SandboxPayment {
  const payment = ledger.records.payments.find((candidate) => candidate.id === id);
  if (!payment) throw new ProviderError('The id provided does not exist');
  return payment;
}

function newPayment(
  orderId: string,
  amount: number,
  currency: string,
  attempt: Attempt,
): SandboxPayment {
  const { method, email, contact, description } = attempt;
  return {
    id: newId('pay'),
    entity: 'payment',
    amount,
    currency,
    status: 'authorized',
    order_id: orderId,
    invoice_id: null,
    international: false,
    method,
    amount_refunded: 0,
    refund_status: null,
    captured: false,
    description,
    card_id: null,
    bank: method === 'netbanking' ? 'HDFC' : null,
    wallet: method === 'wallet' ? 'paytm' : null,
    vpa: method === 'upi' ? 'customer@okbank' : null,
    email,
    contact,
    notes: [],
    fee: null,
    tax: null,
    error_code: null,
    error_description: null,
    error_source: null,
    error_step: null,
    error_reason: null,
    acquirer_data: method === 'upi' ? { rrn: String(Date.now()).slice(-12) } : {},
    created_at: unixNow(),
  };
}
