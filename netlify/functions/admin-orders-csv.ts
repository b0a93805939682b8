import type { Config } from '@netlify/functions';
import { readMonth } from '../../src/domain/india-month.ts';
import { accountsOf } from '../server/orders/accounts-csv.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { csvAnswer } from '../server/platform/csv.ts';
import { HttpError } from '../server/platform/http-error.ts';

/** GET /api/admin/orders.csv?month=2026-11: a month of India's calendar for the accountant. */
export default adminEndpoint({
  route: 'admin/orders.csv',
  handlers: {
    async GET({ url }) {
      const month = readMonth(url.searchParams.get('month'));
      if (month === null) throw new HttpError(400, 'invalid_request', 'Choose a month, such as 2026-11.');
      return csvAnswer(`orders-${month}.csv`, await accountsOf(month));
    },
  },
});

export const config: Config = { path: '/api/admin/orders.csv' };
