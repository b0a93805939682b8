import type { CashTerms } from '#domain/sums/payment-way.ts';

/** Terms of cash on delivery, for tests of a shop that has it. */
export const sampleCash: CashTerms = {
  charge: 5_000,
  platformFee: false,
  minTotal: 20_000,
  maxTotal: 1_000_000,
  pins: ['67', '68', '69'],
  keepsAdvance: true,
  confirmWithinHours: 24,
  refusedForDays: 180,
};
