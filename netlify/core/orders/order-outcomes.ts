/*
 * What the SQL functions of an order's steps answer, one list for each function. The words of refusals have their sentences in
 * order-refusal.ts and own-cancel.ts.
 */

/** SQL `set_fulfilment`. */
export const fulfilmentOutcomes = [
  'changed',
  'same',
  'not_found',
  'cancelled',
  'not_paid',
  'not_confirmed',
  'refunded',
  'too_far_back',
  'needs_document',
  'outdated',
] as const;
export type FulfilmentOutcome = (typeof fulfilmentOutcomes)[number];

/** SQL `cancel_order`. */
export const cancelOutcomes = [
  'cancelled',
  'already',
  'not_found',
  'shipped',
  'check_payment_first',
  'paid_elsewhere',
] as const;
export type CancelOutcome = (typeof cancelOutcomes)[number];

/** SQL `cancel_own_order`, which ends in `cancel_order`. */
export const ownCancelOutcomes = [
  ...cancelOutcomes,
  'paid',
  'not_paid',
  'refunded',
  'ask',
  'limit',
  'needs_document',
  'outdated',
] as const;
export type OwnCancelOutcome = (typeof ownCancelOutcomes)[number];

/** SQL `change_order_details`. */
export const detailOutcomes = ['changed', 'not_found', 'sent', 'invoiced', 'conflict'] as const;
export type DetailOutcome = (typeof detailOutcomes)[number];

/** SQL `request_refund`. */
export const refundOutcomes = [
  'refunding',
  'already',
  'not_found',
  'not_paid',
  'too_much',
  'too_many_items',
] as const;
export type RefundOutcome = (typeof refundOutcomes)[number];

/** SQL `refund_payment`. */
export const paymentRefundOutcomes = ['refunding', 'already', 'not_found', 'nothing'] as const;
