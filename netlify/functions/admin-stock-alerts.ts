import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { stockAlertListSchema } from '../../src/domain/admin/stock-alerts.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { callFunction } from '../server/platform/database.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';

const listed = async (): Promise<Response> =>
  json({ alerts: await callFunction('list_stock_alerts', {}, stockAlertListSchema) });

/** /api/admin/stock-alert: GET lists who waits for what; DELETE {ids} removes addresses and answers with the rest. */
export default adminEndpoint({
  route: 'admin/stock-alert',
  handlers: {
    GET: listed,
    async DELETE({ request }) {
      const { ids } = await readJson(
        request,
        z.object({ ids: z.array(z.int()).check(z.minLength(1), z.maxLength(500)) }),
      );
      await callFunction('delete_stock_alerts', { p_ids: ids }, z.int());
      return listed();
    },
  },
});

export const config: Config = { path: '/api/admin/stock-alert' };
