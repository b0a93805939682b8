import type { SweepStep } from '#core/scheduled/sweep-step.ts';
import { removeDueClaimFiles } from './claim-files.ts';

/** Deletes the files of claims whose term is over, and drafts that were never sent. */
export const step: SweepStep = {
  name: 'claim files',
  stage: 'last',
  run: ({ deadline }) => removeDueClaimFiles(deadline),
};
