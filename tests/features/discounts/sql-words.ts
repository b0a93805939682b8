import { createOutcomes } from '#netlify/features/discounts/admin-routes.ts';
import type { WordList } from '#tests/database/support/sql-words.ts';

/** The lists of this feature that are words of SQL. */
export const wordLists: readonly WordList[] = [
  { sql: 'public.create_discount', words: createOutcomes },
];
