import { parcelOutcomes, shipmentOutcomes } from '#netlify/features/couriers/ship-orders.ts';
import type { WordList } from '#tests/database/support/sql-words.ts';

/** The lists of this feature that are words of SQL. */
export const wordLists: readonly WordList[] = [
  { sql: 'public.ship_orders', words: shipmentOutcomes },
  {
    sql: 'public.ship_orders',
    words: parcelOutcomes,
    read: (sql) => sql.ofVariable('public.ship_orders', 'v_outcome'),
  },
];
