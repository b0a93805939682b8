import { parcelsApi } from '#features/couriers/domain/parcels.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import {
  parcelColumnsSchema,
  parcelFileRows,
  parcelsAtOnce,
  type ParcelColumns,
} from '#features/couriers/domain/courier-file.ts';
import { answer, respond } from '#core/auth/admin-routes.ts';
import { shipOrders } from './ship-orders.ts';
import { ordersOfStage } from '#core/orders/waiting-orders.ts';
import { getPaymentProvider } from '#core/payments/payment-provider.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { csvAnswer } from '#core/platform/http/csv-answer.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

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

export const routes = [
  // The chosen orders to send, or the oldest, as many as one import takes, for a courier's bulk upload.
  respond({ method: 'GET', path: '/api/admin/parcels.csv' }, async ({ url }) => {
    const columns = readColumns(url);
    const { orders: sent } = await ordersOfStage(url, parcelsAtOnce, true);
    return csvAnswer(
      `parcels-${isoDateInIndia(new Date().toISOString())}.csv`,
      parcelFileRows(sent, columns),
    );
  }),
  answer(parcelsApi.ship, async (ctx) => {
    const shipped = await shipOrders(ctx.body, () => getPaymentProvider(ctx));
    ctx.addLogFields({ parcels: shipped.parcels.length, saved: shipped.saved });
    if (shipped.saved) await sendOutboxAfterResponse(ctx);
    return shipped;
  }),
];
