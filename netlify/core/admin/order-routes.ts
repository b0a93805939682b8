import { ordersApi } from '#domain/admin/orders/orders-api.ts';
import { answer, respond, type AdminContext } from '#core/auth/admin-routes.ts';
import { adminOrderOf } from '#core/orders/admin-order.ts';
import { issueInvoice, queueInvoiceMail, readInvoice } from '#core/orders/documents/invoices.ts';
import { changeOrderDetails } from '#core/orders/order-details.ts';
import { listOrders } from '#core/orders/order-list.ts';
import { readOrderId, readOrderRecord } from '#core/orders/order-record.ts';
import { providerUnreachable } from '#core/orders/order-refusal.ts';
import { cancelOrder, changeFulfilment, endHold, requestRefund } from '#core/orders/order-steps.ts';
import { documentOrErrorPage } from '#core/orders/print/document-error.ts';
import { creditNotesPage, invoicePage } from '#core/orders/print/invoice-page.ts';
import { getPaymentProvider } from '#core/payments/payment-provider.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { sendRefundsNow } from '#core/payments/send-after-response.ts';
import { callFunction } from '#core/platform/database.ts';
import * as z from 'zod/mini';

type OrderAnswer = Promise<z.input<typeof ordersApi.read.answer>>;

/** Throws 404 when the URL names no order. */
const idOf = ({ params }: AdminContext): number => readOrderId(params['id']);
const showOrder = async (id: number): OrderAnswer => ({
  order: adminOrderOf(await readOrderRecord(id)),
});

/** Issues the invoice first, then shows its page; a link that somebody sends the admin can give no invoice a number. */
const issue = (ctx: AdminContext): Promise<Response> =>
  documentOrErrorPage(async () => {
    await issueInvoice(idOf(ctx));
    return new Response(null, { status: 303, headers: { location: ctx.url.pathname } });
  });
const invoice = '/api/admin/orders/:id/invoice';
const creditNote = '/api/admin/orders/:id/credit-note';

/** The list of orders, and what the admin does with one. */
export const orderRoutes = [
  answer(ordersApi.list, ({ url }) => listOrders(url.searchParams)),
  answer(ordersApi.read, (ctx) => showOrder(idOf(ctx))),

  // An unpaid order's items are given free only after Razorpay has confirmed that there is no payment.
  answer(ordersApi.cancel, async (ctx) => {
    const id = idOf(ctx);
    ctx.addLogFields({ order: id });
    await cancelOrder(ctx.session, id, ctx.body, () => getPaymentProvider(ctx)).catch(
      providerUnreachable,
    );
    await sendRefundsNow(ctx);
    await sendOutboxAfterResponse(ctx);
    return showOrder(id);
  }),

  // A payment that comes afterwards counts as late.
  answer(ordersApi.endHold, async (ctx) => {
    const id = idOf(ctx);
    ctx.addLogFields({ order: id });
    await endHold(id, () => getPaymentProvider(ctx)).catch(providerUnreachable);
    await sendOutboxAfterResponse(ctx);
    return showOrder(id);
  }),

  // A step forward, or one back. Shipping notifies the customer and writes the invoice; the customer is notified of the
  // delivery, too.
  answer(ordersApi.changeFulfilment, async (ctx) => {
    const [id, change] = [idOf(ctx), ctx.body];
    ctx.addLogFields({ order: id, state: change.state });
    await changeFulfilment(id, change, () => getPaymentProvider(ctx));
    if (change.state === 'shipped' || change.state === 'delivered')
      await sendOutboxAfterResponse(ctx);
    return showOrder(id);
  }),

  // The request goes to Razorpay at once; when it does not answer, the refund stays due and the sweep retries.
  answer(ordersApi.refund, async (ctx) => {
    const id = idOf(ctx);
    ctx.addLogFields({ order: id, paise: ctx.body.amountPaise });
    await requestRefund(ctx.session, id, ctx.body);
    await sendRefundsNow(ctx);
    await sendOutboxAfterResponse(ctx);
    return showOrder(id);
  }),

  answer(ordersApi.changeDetails, async (ctx) => {
    const id = idOf(ctx);
    ctx.addLogFields({ order: id, fields: Object.keys(ctx.body).join(' ') });
    await changeOrderDetails(id, ctx.body);
    return showOrder(id);
  }),

  answer(ordersApi.mailInvoice, async (ctx) => {
    const id = idOf(ctx);
    ctx.addLogFields({ order: id });
    await queueInvoiceMail(id);
    await sendOutboxAfterResponse(ctx);
    return showOrder(id);
  }),

  answer(ordersApi.withdrawLinks, async (ctx) => {
    const id = idOf(ctx);
    ctx.addLogFields({ order: id });
    await callFunction('withdraw_order_links', { p_order_id: id }, z.boolean());
    return showOrder(id);
  }),

  // The tax invoice for print, and its credit notes alone. POST by a form for a tab of its own.
  respond({ method: 'GET', path: invoice }, (ctx) =>
    documentOrErrorPage(async () => invoicePage(await readInvoice(idOf(ctx)))),
  ),
  respond({ method: 'POST', path: invoice }, issue, 'form'),
  respond({ method: 'GET', path: creditNote }, (ctx) =>
    documentOrErrorPage(async () => creditNotesPage(await readInvoice(idOf(ctx)))),
  ),
  respond({ method: 'POST', path: creditNote }, issue, 'form'),
];
