import { refundOutcomes } from '#core/orders/order-refusal.ts';

/*
 * What the SQL functions of claims answer, one list for each function.
 */

/** SQL `claim_refusal`: why damage cannot be reported now. */
export const claimRefusals = ['not_found', 'not_possible', 'already', 'too_many'] as const;

/** SQL `report_claim`. */
export const reportOutcomes = [...claimRefusals, 'reported', 'files_missing'] as const;

/** SQL `note_claim_files`. */
export const noteFilesOutcomes = [
  'noted',
  'not_found',
  'not_possible',
  'removing',
  'full',
] as const;

const refusedRefunds = refundOutcomes.filter((word) => word !== 'refunding');
/** SQL `answer_claim`, which refunds as `request_refund` does. */
export const answerOutcomes = [
  ...refusedRefunds,
  'answered',
  'answered_before',
  'out_of_stock',
] as const;
