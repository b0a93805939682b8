import * as z from 'zod';
import { disputeSchema, newId, unixNow, type SandboxDispute } from './entities.ts';
import { disputeEvent, type NewEvent } from './events.ts';
import type { Ledger } from './ledger.ts';
import { parseInput } from './orders.ts';
import { findPayment } from './payments.ts';

const answerSeconds = 7 * 24 * 3600;
const inputSchema = z.object({ status: disputeSchema.shape.status.default('open') });

/** Actions of a customer's bank: open a dispute of a payment, or close it. */
export function disputePayment(
  ledger: Ledger,
  paymentId: string,
  input: unknown,
): { dispute: SandboxDispute; events: NewEvent[] } {
  const payment = findPayment(ledger, paymentId);
  const { status } = parseInput(inputSchema, input);
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
  ledger.save({ disputes: [dispute] });
  return { dispute, events: [disputeEvent(dispute, payment)] };
}
