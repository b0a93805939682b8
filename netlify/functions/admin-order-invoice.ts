import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/admin/admin-endpoint.ts';
import { orderIdOf, readOrderRecord } from '../server/admin/order-record.ts';
import { issueInvoice } from '../server/invoices.ts';
import { invoicePage } from '../server/print/invoice-page.ts';
import { paperOrPlain } from '../server/print/paper-refusal.ts';

/** GET /api/admin/orders/:id/invoice: the tax invoice for print, which gets its number the first time. */
export default adminEndpoint({
  route: 'admin/order/invoice',
  handlers: {
    GET: ({ url }) => paperOrPlain(async () => invoicePage(await issueInvoice(await readOrderRecord(orderIdOf(url))))),
  },
});

export const config: Config = { path: '/api/admin/orders/:id/invoice' };
