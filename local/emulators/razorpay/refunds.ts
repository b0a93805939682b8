import * as z from 'zod';
import { newId, unixNow, type SandboxPayment, type SandboxRefund } from './entities.ts';
import { refundEvent, type NewEvent } from './events.ts';
import type { Ledger } from './ledger.ts';
import { notesInput, parseInput } from './orders.ts';
import { findPayment } from './payments.ts';
import { ProviderError } from './provider-error.ts';

const inputSchema = z.strictObject({
  amount: z.coerce
    .number('The amount must be an integer.')
    .int('The amount must be an integer.')
    .min(100, 'The amount must be at least INR 1.00')
    .optional(),
  speed: z.enum(['normal', 'optimum']).default('normal'),
  notes: notesInput,
  receipt: z.string().max(40).nullish(),
});

const keySchema = z
  .string()
  .min(10, 'The idempotency key must be at least 10 characters long.')
  .regex(
    /^[\w-]+$/u,
    'The idempotency key must only contain alphanumeric characters, underscores, and hyphens',
  );

/**
 * POST /v1/payments/:id/refund. With `X-Refund-Idempotency`, the same request is answered with the same refund and no
 * money moves again; another request under the same key is refused with 409. With `isPending` the bank takes its time:
 * `settleRefund` ends it.
 */
export function createRefund(
  ledger: Ledger,
  paymentId: string,
  input: unknown,
  idempotencyKey: string | null,
  isPending = false,
): { refund: SandboxRefund; events: NewEvent[] } {
  const payment = findPayment(ledger, paymentId);
  const request = JSON.stringify([paymentId, input ?? {}]);
  const key = idempotencyKey === null ? null : parseInput(keySchema, idempotencyKey);
  const earlier = key === null ? undefined : ledger.records.refundKeys[key];
  if (earlier) {
    if (earlier.request !== request) {
      throw new ProviderError(
        'Different request with the same idempotency key has already been processed.',
        { status: 409 },
      );
    }
    return { refund: findRefund(ledger, earlier.refundId), events: [] };
  }
  const { amount: requested, speed, notes, receipt } = parseInput(inputSchema, input ?? {});
  const left = payment.amount - payment.amount_refunded;
  if (payment.status === 'refunded' || left === 0)
    throw new ProviderError('The payment has been fully refunded already.');
  if (payment.status !== 'captured')
    throw new ProviderError('The payment status should be captured for action to be taken');
  const amount = requested ?? left;
  if (amount > left) {
    throw new ProviderError('The refund amount provided is greater than amount captured.', {
      field: 'amount',
    });
  }
  const refund: SandboxRefund = {
    ...newRefund(payment, amount),
    notes: notes ?? [],
    receipt: receipt ?? null,
    status: isPending ? 'pending' : 'processed',
    speed_requested: speed,
  };
  ledger.records.refunds.unshift(refund);
  const refundKeys = key === null ? {} : { [key]: { request, refundId: refund.id } };
  Object.assign(ledger.records.refundKeys, refundKeys);
  addRefunded(payment, amount);
  ledger.save({ refunds: [refund], payments: [payment], refundKeys });
  const created = refundEvent('refund.created', refund, payment);
  return {
    refund,
    events: isPending ? [created] : [created, refundEvent('refund.processed', refund, payment)],
  };
}

/** Ends a pending refund. The money of one that failed is the shop's again. Throws ProviderError when it has ended. */
export function settleRefund(
  ledger: Ledger,
  id: string,
  status: 'processed' | 'failed',
): { refund: SandboxRefund; events: NewEvent[] } {
  const refund = findRefund(ledger, id);
  if (refund.status !== 'pending') throw new ProviderError('The refund is not pending');
  const payment = findPayment(ledger, refund.payment_id);
  refund.status = status;
  if (status === 'failed') addRefunded(payment, -refund.amount);
  ledger.save({ refunds: [refund], payments: [payment] });
  return { refund, events: [refundEvent(`refund.${status}`, refund, payment)] };
}

/**
 * Sends a payment back that nobody captured: it is 'refunded', and `captured` stays false. See
 * https://razorpay.com/docs/webhooks/refunds, "Identify Auto-Refunds".
 */
export function refundUncaptured(ledger: Ledger, payment: SandboxPayment): NewEvent[] {
  if (payment.status !== 'authorized')
    throw new ProviderError('Only an authorized payment goes back by itself');
  const refund = newRefund(payment, payment.amount);
  ledger.records.refunds.unshift(refund);
  addRefunded(payment, payment.amount);
  ledger.save({ refunds: [refund], payments: [payment] });
  return [
    refundEvent('refund.created', refund, payment),
    refundEvent('refund.processed', refund, payment),
  ];
}

/** Adds to what was refunded of a payment (paise, negative when a refund failed), and sets its state by that. */
function addRefunded(payment: SandboxPayment, amount: number): void {
  payment.amount_refunded += amount;
  const isFull = payment.amount_refunded === payment.amount;
  payment.refund_status = isFull ? 'full' : payment.amount_refunded === 0 ? null : 'partial';
  payment.status = isFull ? 'refunded' : 'captured';
}

function newRefund(payment: SandboxPayment, amount: number): SandboxRefund {
  return {
    id: newId('rfnd'),
    entity: 'refund',
    amount,
    currency: payment.currency,
    payment_id: payment.id,
    notes: [],
    receipt: null,
    acquirer_data: { arn: null },
    created_at: unixNow(),
    batch_id: null,
    status: 'processed',
    speed_processed: 'normal',
    speed_requested: 'normal',
  };
}

export function findRefund(ledger: Ledger, id: string): SandboxRefund {
  const refund = ledger.records.refunds.find((candidate) => candidate.id === id);
  if (!refund) throw new ProviderError('The id provided does not exist');
  return refund;
}
