import type { Config } from '@netlify/functions';
import { readOrderId } from '#core/orders/order-record.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { findOwnInvoice } from '#core/orders/documents/invoices.ts';
import { invoicePage } from '#core/orders/print/invoice-page.ts';
import { documentOrErrorPage } from '#core/orders/print/document-error.ts';
import { readFormToken, requireCustomer } from '#core/auth/customer.ts';

async function ownInvoice(request: Request, orderId: string | undefined): Promise<Response> {
  const customer = await requireCustomer(request, 'see your invoice');
  const invoice = await findOwnInvoice(customer.id, readOrderId(orderId));
  if (!invoice) throw new HttpError(404, 'not_found', 'There is no invoice for this order.');
  return invoicePage(invoice);
}

/**
 * GET /api/orders/:id/invoice with the customer's token, or POST with it in a form's field `token`, for a tab of its own:
 * the invoice of their own order. The same 404 for an order that has none, one that does not exist, and another person's.
 */
export default endpoint({
  route: 'orders/invoice',
  method: ['GET', 'POST'],
  async handler({ request, context }) {
    const { id } = context.params;
    if (request.method === 'GET') return ownInvoice(request, id);
    return documentOrErrorPage(async () => ownInvoice(await readFormToken(request), id), {
      path: '/profile',
      text: 'Back to your orders',
    });
  },
});

export const config: Config = { path: '/api/orders/:id/invoice' };
