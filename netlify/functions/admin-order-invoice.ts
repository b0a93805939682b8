import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { orderIdOf, readOrderRecord } from '../server/orders/order-record.ts';
import { issueInvoice } from '../server/orders/invoices.ts';
import { invoicePage } from '../server/orders/print/invoice-page.ts';
import { documentOrErrorPage } from '../server/orders/print/document-error.ts';

/** GET /api/admin/orders/:id/invoice: the tax invoice for print, which gets its number the first time. */
export default adminEndpoint({
  route: 'admin/order/invoice',
  handlers: {
    GET: ({ url }) => documentOrErrorPage(async () => invoicePage(await issueInvoice(await readOrderRecord(orderIdOf(url))))),
  },
});

export const config: Config = { path: '/api/admin/orders/:id/invoice' };
