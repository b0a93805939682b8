import { respond } from '#core/auth/admin-routes.ts';
import { readOrderId, readOrderRecord } from '#core/orders/order-record.ts';
import { documentOrErrorPage } from '#core/orders/print/document-error.ts';
import { labelsPage, labelSheetSchema } from './labels-page.ts';
import { packingSlipPage, packingSlipsPage } from './packing-slip-page.ts';
import { ordersOfStage } from '#core/orders/waiting-orders.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

/** Pages for print. `stage` is to_pack or packed, `orders` the chosen ones, of any stage when none is named; else the oldest that wait there. */
export const routes = [
  respond({ method: 'GET', path: '/api/admin/orders/:id/packing-slip' }, ({ params }) =>
    documentOrErrorPage(async () =>
      packingSlipPage((await readOrderRecord(readOrderId(params['id']))).order),
    ),
  ),
  respond({ method: 'GET', path: '/api/admin/packing-slips' }, ({ url }) =>
    documentOrErrorPage(async () => {
      const { orders: slips, total, missing } = await ordersOfStage(url, 50, false);
      return packingSlipsPage(slips, total, missing);
    }),
  ),
  // `sheet` is a4 or thermal. Orders that are handed over have no label.
  respond({ method: 'GET', path: '/api/admin/labels' }, ({ url }) =>
    documentOrErrorPage(async () => {
      const sheet = labelSheetSchema.safeParse(url.searchParams.get('sheet') ?? 'a4').data;
      if (sheet === undefined)
        throw new HttpError(400, 'invalid_request', 'Labels are for a4, or thermal.');
      const { orders, missing } = await ordersOfStage(url, 100, true);
      return labelsPage(orders, sheet, missing);
    }),
  ),
];
