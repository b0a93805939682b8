import type { Config } from '@netlify/functions';
import { readInvoice } from '../server/orders/invoices.ts';
import { readOrderRecord, type OrderRecord } from '../server/orders/order-record.ts';
import { documentOrErrorPage } from '../server/orders/print/document-error.ts';
import { invoicePage } from '../server/orders/print/invoice-page.ts';
import { orderOfTrackToken, trackLinkDays } from '../server/mail/track-link.ts';
import { trackPage } from '../server/orders/track-page.ts';
import { routeByAction } from '../server/platform/route-by-action.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint } from '../server/platform/http.ts';
import { addressBucket, callerAddress, limitRate } from '../server/platform/rate-limit.ts';

const back = { path: '/profile#orders', text: 'See your orders' };

/** The order of a link. @throws 404 for a link that is cut, changed or too old, and for an order that is gone; 429. */
async function linkedOrder(
  token: string | undefined,
  address: string | undefined,
): Promise<OrderRecord['order']> {
  const id = orderOfTrackToken(token);
  const sentence = 'This link has expired or is incomplete. Log in to see your orders, or ask us.';
  if (id === null) throw new HttpError(404, 'not_found', sentence);
  await limitRate({ bucket: addressBucket('track', address), hits: 120, seconds: 600 });
  const { order } = await readOrderRecord(id);
  const age = Date.now() - Date.parse(order.createdAt);
  if (!(age < trackLinkDays * 86_400_000)) throw new HttpError(404, 'not_found', sentence);
  return order;
}

/** GET /track/:token, from the mails of an order: its steps and its parcel, without login, as a page. */
const track = endpoint({
  route: 'track',
  method: 'GET',
  handler: ({ context }) =>
    documentOrErrorPage(async () => {
      const { token = '' } = context.params;
      return trackPage(
        await linkedOrder(token, callerAddress(context)),
        `/track/${encodeURIComponent(token)}/invoice`,
      );
    }, back),
});

/** GET /track/:token/invoice: the order's invoice, when it has one, as a page to print. */
const invoice = endpoint({
  route: 'track/invoice',
  method: 'GET',
  handler: ({ context }) =>
    documentOrErrorPage(async () => {
      const order = await linkedOrder(context.params['token'], callerAddress(context));
      return invoicePage(await readInvoice(Number(order.id)));
    }, back),
});

export default routeByAction({ invoice }, track);

export const config: Config = { path: ['/track/:token', '/track/:token/:action(invoice)'] };
