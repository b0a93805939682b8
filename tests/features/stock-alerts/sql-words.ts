import { alertOutcomes } from '#netlify/features/stock-alerts/confirm.ts';
import type { WordList } from '#tests/database/support/sql-words.ts';

/** The lists of this feature that are words of SQL. */
export const wordLists: readonly WordList[] = [
  { sql: 'public.ask_stock_alert', words: alertOutcomes },
];
