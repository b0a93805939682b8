import { subscribeOutcomes } from '#netlify/features/newsletter/links.ts';
import type { WordList } from '#tests/database/support/sql-words.ts';

/** The lists of this feature that are words of SQL. */
export const wordLists: readonly WordList[] = [
  { sql: 'public.subscribe', words: subscribeOutcomes },
];
