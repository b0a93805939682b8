import {
  answerOutcomes,
  claimRefusals,
  noteFilesOutcomes,
  reportOutcomes,
} from '#netlify/features/claims/claim-outcomes.ts';
import type { WordList } from '#tests/database/support/sql-words.ts';

/** The lists of this feature that are words of SQL. */
export const wordLists: readonly WordList[] = [
  { sql: 'public.claim_refusal', words: claimRefusals },
  { sql: 'public.report_claim', words: reportOutcomes },
  { sql: 'public.note_claim_files', words: noteFilesOutcomes },
  { sql: 'public.answer_claim', words: answerOutcomes },
];
