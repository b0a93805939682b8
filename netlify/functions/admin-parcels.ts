import type { Config } from '@netlify/functions';
import { parcelsRequestSchema } from '../../src/domain/admin/orders/parcels.ts';
import { isoDateInIndia } from '../../src/domain/india-month.ts';
import {
  parcelColumnsSchema,
  parcelFileRows,
  parcelsAtOnce,
  type ParcelColumns,
} from '../../src/domain/orders/courier-file.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { shipOrders } from '../server/orders/ship-orders.ts';
import { ordersOfStage } from '../server/orders/waiting-orders.ts';
import { getPaymentProvider } from '../server/payments/payment-provider.ts';
import { sendOutboxAfterResponse } from '../server/mail/outbox.ts';
import { csvAnswer } from '../server/platform/http/csv-answer.ts';
import { HttpError } from '../server/platform/http/http-error.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';
import { routeByAction } from '../server/platform/http/route-by-action.ts';

/** The columns in an address, as JSON. Throws 400 with a sentence for the admin. */
function readColumns({ searchParams }: URL): ParcelColumns {
  let value: unknown;
  try {
    value = JSON.parse(searchParams.get('columns') ?? '');
  } catch {
    value = null;
  }
  const read = parcelColumnsSchema.safeParse(value);
  if (read.success) return read.data;
  const message = read.error.issues[0]?.message ?? '';
  throw new HttpError(400, 'invalid_request', message.endsWith('.') ? message : 'Choose a column.');
}

/** GET /api/admin/parcels.csv?columns=&stage=&orders=: the chosen orders to send, or the oldest, as many as one import takes, for a courier's bulk upload. */
const parcelsCsv = adminEndpoint({
  route: 'admin/parcels.csv',
  handlers: {
    async GET({ url }) {
      const columns = readColumns(url);
      const { orders: sent } = await ordersOfStage(url, parcelsAtOnce, true);
      return csvAnswer(
        `parcels-${isoDateInIndia(new Date().toISOString())}.csv`,
        parcelFileRows(sent, columns),
      );
    },
  },
});

/** POST /api/admin/parcels: tracking numbers by order. All are shipped or none; without `save` it only checks them. */
const parcels = adminEndpoint({
  route: 'admin/parcels',
  handlers: {
    async POST(ctx) {
      const answer = await shipOrders(await readJson(ctx.request, parcelsRequestSchema), () =>
        getPaymentProvider(ctx),
      );
      ctx.addLogFields({ parcels: answer.parcels.length, saved: answer.saved });
      if (answer.saved) await sendOutboxAfterResponse(ctx);
      return json(answer);
    },
  },
});

export default routeByAction({ 'parcels.csv': parcelsCsv }, parcels);

export const config: Config = { path: '/api/admin/:action(parcels|parcels\\.csv)' };
