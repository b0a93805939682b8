import type { Config, Context } from '@netlify/functions';
import type { Order } from '#domain/orders/order.ts';
import { readInvoice } from '#core/orders/documents/invoices.ts';
import { readOrderRecord } from '#core/orders/order-record.ts';
import { documentOrErrorPage } from '#core/orders/print/document-error.ts';
import { invoicePage } from '#core/orders/print/invoice-page.ts';
import { linkDays, isOlderThan, readLinkToken } from '#core/mail/order-links.ts';
import { trackPage } from '#core/orders/documents/track-page.ts';
import { routeByAction } from '#core/platform/http/route-by-action.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { limitCost } from '#core/platform/costs.ts';

const back = { path: '/profile#orders', text: 'See your orders' };

/** Whether the link of an invoice has ended. */
const isInvoiceLinkOver = ({ createdAt, delivery: { deliveredAt } }: Order): boolean =>
  deliveredAt === null
    ? isOlderThan(createdAt, linkDays.track)
    : isOlderThan(deliveredAt, linkDays.invoice);

/**
 * The order of a link. @throws 404 for a link that is cut, changed, withdrawn or too old, and for an order that is gone; 429.
 */
async function linkedOrder(purpose: 'track' | 'invoice', context: Context): Promise<Order> {
  const link = readLinkToken(purpose, context.params['token']);
  const refusal = new HttpError(
    404,
    'not_found',
    'This link has expired or is incomplete. Log in to see your orders, or ask us.',
  );
  if (link === null) throw refusal;
  await limitCost('lookup', { context });
  const { order } = await readOrderRecord(link.id);
  const isOver =
    purpose === 'track' ? isOlderThan(order.createdAt, linkDays.track) : isInvoiceLinkOver(order);
  if (isOver || order.linkVersion !== link.linkVersion) throw refusal;
  return order;
}

/** GET /track/:token, from the mails of an order: its steps, parcel and items, without login, as a page. */
const track = endpoint({
  route: 'track',
  method: 'GET',
  handler: ({ context }) =>
    documentOrErrorPage(async () => trackPage(await linkedOrder('track', context)), back),
});

/**
 * GET /track/:token/invoice, from the mail of an invoice: the document, as a page to print. Its token is another one than that
 * of the tracking page, which people forward.
 */
const invoice = endpoint({
  route: 'track/invoice',
  method: 'GET',
  handler: ({ context }) =>
    documentOrErrorPage(async () => {
      const order = await linkedOrder('invoice', context);
      return invoicePage(await readInvoice(Number(order.id)));
    }, back),
});

export default routeByAction({ invoice }, track);

export const config: Config = { path: ['/track/:token', '/track/:token/:action(invoice)'] };
