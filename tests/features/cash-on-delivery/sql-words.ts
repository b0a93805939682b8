import { cashRefusals } from '#domain/sums/payment-way.ts';
import { cashEndings } from '#domain/orders/order-cash.ts';
import { cashOutcomes, remittanceOutcomes } from '#features/cash-on-delivery/domain/cash-api.ts';
import {
  confirmOutcomes,
  refuseOutcomes,
} from '#netlify/features/cash-on-delivery/admin-routes.ts';
import type { WordList } from '#tests/database/support/sql-words.ts';

/** The lists of this feature that are words of SQL. */
export const wordLists: readonly WordList[] = [
  { sql: 'public.cash_offer', words: cashRefusals.filter((word) => word !== 'last_unit') },
  { sql: 'public.confirm_cash_order', words: confirmOutcomes },
  { sql: 'public.refuse_cash_order', words: refuseOutcomes },
  { sql: 'public.receive_cash', words: cashOutcomes },
  {
    sql: 'private.end_cash_order',
    words: cashEndings,
    read: (sql) => sql.ofArgument('private.end_cash_order', 'p_why'),
  },
  {
    sql: 'public.record_remittance',
    words: remittanceOutcomes,
    read: (sql) => sql.ofVariable('public.record_remittance', 'v_outcome'),
  },
];
