import * as z from 'zod';
import { newId, unixNow, type SandboxRefund } from './entities.ts';
import { refundEvent, type NewEvent } from './events.ts';
import type { Ledger } from './ledger.ts';
import { notesInput, parseInput } from './orders.ts';
import { findPayment } from './payments.ts';
import { ProviderError } from './provider-error.ts';

const inputSchema = z.object({
  amount: z.coerce
    .number('The amount must be an integer.')
    .int('The amount must be an integer.')
    .min(100, 'The amount must be atleast INR 1.00')
    .optional(),
  speed: z.enum(['normal', 'optimum']).default('normal'),
  notes: notesInput,
  receipt: z.string().max(40).nullish(),
});

const keySchema = z.string().regex(/^[\w-]{10,}$/u, 'The idempotency key is invalid');

/**
 * POST /v1/payments/:id/refund. With `X-Refund-Idempotency`, the same request is answered with the same refund and no
 * money moves again; another request under the same key is refused with 409.
 */
export function createRefund(
  ledger: Ledger,
  paymentId: string,
  input: unknown,
  idempotencyKey: string | null,
): { refund: SandboxRefund; events: NewEvent[] } {
  const payment = findPayment(ledger, paymentId);
  const request = JSON.stringify([paymentId, input ?? {}]);
  const key = idempotencyKey === null ? null : parseInput(keySchema, idempotencyKey);
  const earlier = key === null ? undefined : ledger.records.refundKeys[key];
  if (earlier) {
    if (earlier.request !== request) {
      throw new ProviderError('Different request with the same idempotency key', { status: 409 });
    }
    return { refund: findRefund(ledger, earlier.refundId), events: [] };
  }
  const { amount: requested, speed, notes, receipt } = parseInput(inputSchema, input ?? {});
  const left = payment.amount - payment.amount_refunded;
  if (payment.status === 'refunded' || left === 0)
    throw new ProviderError('The payment has been fully refunded already');
  if (payment.status !== 'captured')
    throw new ProviderError('The payment status should be captured for action to be taken');
  const amount = requested ?? left;
  if (amount > left) {
    throw new ProviderError('The total refund amount is greater than the refund payment amount', {
      field: 'amount',
    });
  }
  const refund: SandboxRefund = {
    id: newId('rfnd'),
    entity: 'refund',
    amount,
    currency: payment.currency,
    payment_id: payment.id,
    notes: notes ?? [],
    receipt: receipt ?? null,
    acquirer_data: { arn: null },
    created_at: unixNow(),
    batch_id: null,
    status: 'processed',
    speed_processed: 'normal',
    speed_requested: speed,
  };
  ledger.records.refunds.unshift(refund);
  const refundKeys = key === null ? {} : { [key]: { request, refundId: refund.id } };
  Object.assign(ledger.records.refundKeys, refundKeys);
  payment.amount_refunded += amount;
  payment.refund_status = payment.amount_refunded === payment.amount ? 'full' : 'partial';
  if (payment.refund_status === 'full') payment.status = 'refunded';
  ledger.save({ refunds: [refund], payments: [payment], refundKeys });
  return {
    refund,
    events: [
      refundEvent('refund.created', refund, payment),
      refundEvent('refund.processed', refund, payment),
    ],
  };
}

export function findRefund(ledger: Ledger, id: string): SandboxRefund {
  const refund = ledger.records.refunds.find((candidate) => candidate.id === id);
  if (!refund) throw new ProviderError('The id provided does not exist');
  return refund;
}
