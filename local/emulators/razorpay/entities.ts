import { randomInt } from 'node:crypto';
import * as z from 'zod';

/** The provider's objects as its API speaks them. Amounts in paise, times in Unix seconds. */
const notesSchema = z.record(z.string(), z.string());

export const orderSchema = z.object({
  id: z.string(),
  entity: z.literal('order'),
  amount: z.int(),
  amount_paid: z.int(),
  amount_due: z.int(),
  currency: z.string(),
  receipt: z.string().nullable(),
  offer_id: z.null(),
  status: z.enum(['created', 'attempted', 'paid']),
  attempts: z.int(),
  notes: notesSchema.or(z.array(z.never())),
  created_at: z.int(),
});
export type SandboxOrder = z.infer<typeof orderSchema>;

const errorText = z.string().nullable();
export const paymentSchema = z.object({
  id: z.string(),
  entity: z.literal('payment'),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['created', 'authorized', 'captured', 'refunded', 'failed']),
  order_id: z.string(),
  invoice_id: z.null(),
  international: z.literal(false),
  method: z.enum(['upi', 'card', 'netbanking', 'wallet']),
  amount_refunded: z.int(),
  refund_status: z.enum(['partial', 'full']).nullable(),
  captured: z.boolean(),
  description: z.string().nullable(),
  card_id: z.null(),
  bank: z.string().nullable(),
  wallet: z.string().nullable(),
  vpa: z.string().nullable(),
  email: z.string(),
  contact: z.string(),
  notes: notesSchema.or(z.array(z.never())),
  fee: z.int().nullable(),
  tax: z.int().nullable(),
  error_code: errorText,
  error_description: errorText,
  error_source: errorText,
  error_step: errorText,
  error_reason: errorText,
  acquirer_data: z.record(z.string(), z.string()),
  created_at: z.int(),
});
export type SandboxPayment = z.infer<typeof paymentSchema>;

export const refundSchema = z.object({
  id: z.string(),
  entity: z.literal('refund'),
  amount: z.int(),
  currency: z.string(),
  payment_id: z.string(),
  notes: notesSchema.or(z.array(z.never())),
  receipt: z.string().nullable(),
  acquirer_data: z.object({ arn: z.null() }),
  created_at: z.int(),
  batch_id: z.null(),
  status: z.enum(['pending', 'processed', 'failed']),
  speed_processed: z.literal('normal'),
  speed_requested: z.string(),
});
export type SandboxRefund = z.infer<typeof refundSchema>;

/** https://razorpay.com/docs/api/disputes/fetch-all, without the evidence. */
export const disputeSchema = z.object({
  id: z.string(),
  entity: z.literal('dispute'),
  payment_id: z.string(),
  amount: z.int(),
  currency: z.string(),
  amount_deducted: z.int(),
  reason_code: z.string(),
  respond_by: z.int(),
  status: z.enum(['open', 'under_review', 'won', 'lost', 'closed']),
  phase: z.enum(['fraud', 'retrieval', 'chargeback', 'pre_arbitration', 'arbitration']),
  created_at: z.int(),
});
export type SandboxDispute = z.infer<typeof disputeSchema>;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An id of the provider's form, e.g. `order_EKwxwAgItmmXdp`. */
export function newId(kind: 'order' | 'pay' | 'rfnd' | 'disp' | 'evt'): string {
  return `${kind}_${Array.from({ length: 14 }, () => letters.charAt(randomInt(letters.length))).join('')}`;
}

export const unixNow = (): number => Math.floor(Date.now() / 1000);
