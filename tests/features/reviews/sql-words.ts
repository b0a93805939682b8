import { decideOutcomes } from '#netlify/features/reviews/admin-routes.ts';
import { saveOutcomes } from '#netlify/features/reviews/order-reviews.ts';
import type { WordList } from '#tests/database/support/sql-words.ts';

/** The lists of this feature that are words of SQL. */
export const wordLists: readonly WordList[] = [
  { sql: 'public.decide_review', words: decideOutcomes },
  { sql: 'public.save_reviews', words: saveOutcomes },
];
