import * as z from 'zod';
import { disputeSchema, newId, unixNow, type SandboxDispute } from './entities.ts';
import { disputeEvent, type NewEvent } from './events.ts';
import type { Ledger } from './ledger.ts';
import { parseInput } from './orders.ts';
import { findPayment } from './payments.ts';

const answerSeconds = 7 * 24 * 3600;
/** `action_required` is an event alone: the bank wants more evidence, and the dispute is open. */
const inputSchema = z.object({
  status: z.enum([...disputeSchema.shape.status.options, 'action_required']).default('open'),
  phase: disputeSchema.shape.phase.optional(),
  /** Unix seconds. */
  respond_by: z.int().optional(),
  /** Paise that a lost dispute takes; all of it without. */
  amount_deducted: z.int().optional(),
});

/** Actions of a customer's bank: open a dispute of a payment, or close it. */
export function disputePayment(
  ledger: Ledger,
  paymentId: string,
  input: unknown,
): { dispute: SandboxDispute; events: NewEvent[] } {
  const payment = findPayment(ledger, paymentId);
  const { status: requested, ...facts } = parseInput(inputSchema, input);
  const status = requested === 'action_required' ? 'open' : requested;
  let dispute = ledger.records.disputes.find(({ payment_id: id }) => id === payment.id);
  if (!dispute) {
    dispute = {
      id: newId('disp'),
      entity: 'dispute',
      payment_id: payment.id,
      amount: payment.amount,
      currency: payment.currency,
      amount_deducted: 0,
      reason_code: 'goods_or_services_not_received_or_partially_received',
      respond_by: unixNow() + answerSeconds,
      status,
      phase: 'chargeback',
      created_at: unixNow(),
    };
    ledger.records.disputes.unshift(dispute);
  }
  dispute.status = status;
  if (status === 'lost') dispute.amount_deducted = dispute.amount;
  Object.assign(dispute, facts);
  ledger.save({ disputes: [dispute] });
  const name = requested === 'action_required' ? requested : undefined;
  return { dispute, events: [disputeEvent(dispute, payment, name)] };
}
