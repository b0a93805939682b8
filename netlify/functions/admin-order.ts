import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { orderDetailsSchema } from '../../src/domain/admin/orders/order-details.ts';
import {
  cancelRequestSchema,
  fulfilmentChangeSchema,
  refundRequestSchema,
} from '../../src/domain/admin/orders/order-requests.ts';
import { adminEndpoint, type AdminContext } from '../server/auth/admin-endpoint.ts';
import { sendOutboxAfterResponse } from '../server/mail/outbox.ts';
import { sendRefundsNow } from '../server/payments/send-after-response.ts';
import { adminOrderOf } from '../server/orders/admin-order.ts';
import {
  issueInvoice,
  queueInvoiceMail,
  readInvoice,
} from '../server/orders/documents/invoices.ts';
import { changeOrderDetails } from '../server/orders/order-details.ts';
import { readOrderId, readOrderRecord, type OrderRecord } from '../server/orders/order-record.ts';
import { providerUnreachable } from '../server/orders/order-refusal.ts';
import {
  cancelOrder,
  changeFulfilment,
  endHold,
  requestRefund,
} from '../server/orders/order-steps.ts';
import { documentOrErrorPage } from '../server/orders/print/document-error.ts';
import { creditNotesPage, invoicePage } from '../server/orders/print/invoice-page.ts';
import { packingSlipPage } from '../server/orders/print/packing-slip-page.ts';
import { getPaymentProvider } from '../server/payments/payment-provider.ts';
import { callFunction } from '../server/platform/database.ts';
import { routeByAction } from '../server/platform/http/route-by-action.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';

/** Throws 404 when the URL names no order. */
const idOf = ({ context }: AdminContext): number => readOrderId(context.params['id']);
const recordOf = async (ctx: AdminContext): Promise<OrderRecord> => readOrderRecord(idOf(ctx));
const showOrder = async (id: number): Promise<Response> =>
  json({ order: adminOrderOf(await readOrderRecord(id)) });

/** GET /api/admin/orders/:id: everything about an order. */
const order = adminEndpoint({
  route: 'admin/order',
  handlers: { GET: async (ctx) => showOrder(idOf(ctx)) },
});

/**
 * POST /api/admin/orders/:id/cancel: before the order is sent. What was paid goes back; an unpaid order's items are
 * given free, but only after Razorpay has confirmed that there is no payment.
 */
const cancel = adminEndpoint({
  route: 'admin/order/cancel',
  handlers: {
    async POST(ctx) {
      const id = idOf(ctx);
      const request = await readJson(ctx.request, cancelRequestSchema);
      ctx.addLogFields({ order: id });
      await cancelOrder(ctx.session, id, request, () => getPaymentProvider(ctx)).catch(
        providerUnreachable,
      );
      await sendRefundsNow(ctx);
      await sendOutboxAfterResponse(ctx);
      return showOrder(id);
    },
  },
});

/**
 * POST /api/admin/orders/:id/release: ends the hold of an unpaid order, once Razorpay has confirmed that there is no payment. A
 * payment that comes afterwards counts as late.
 */
const release = adminEndpoint({
  route: 'admin/order/release',
  handlers: {
    async POST(ctx) {
      const id = idOf(ctx);
      await readJson(ctx.request, z.object({}));
      ctx.addLogFields({ order: id });
      await endHold(id, () => getPaymentProvider(ctx)).catch(providerUnreachable);
      await sendOutboxAfterResponse(ctx);
      return showOrder(id);
    },
  },
});

/** POST /api/admin/orders/:id/fulfilment: a step forward, or one back. Shipping notifies the customer and writes the invoice; the
 * customer is notified of the delivery, too. */
const fulfilment = adminEndpoint({
  route: 'admin/order/fulfilment',
  handlers: {
    async POST(ctx) {
      const id = idOf(ctx);
      const change = await readJson(ctx.request, fulfilmentChangeSchema);
      ctx.addLogFields({ order: id, state: change.state });
      await changeFulfilment(id, change, () => getPaymentProvider(ctx));
      if (change.state === 'shipped' || change.state === 'delivered')
        await sendOutboxAfterResponse(ctx);
      return showOrder(id);
    },
  },
});

/**
 * POST /api/admin/orders/:id/refund: all or part of what was paid, and items back into stock. The same key is the same
 * refund. The request goes to Razorpay at once; when it does not answer, the refund stays due and the sweep retries.
 */
const refund = adminEndpoint({
  route: 'admin/order/refund',
  handlers: {
    async POST(ctx) {
      const id = idOf(ctx);
      const request = await readJson(ctx.request, refundRequestSchema);
      ctx.addLogFields({ order: id, paise: request.amountPaise });
      await requestRefund(ctx.session, id, request);
      await sendRefundsNow(ctx);
      await sendOutboxAfterResponse(ctx);
      return showOrder(id);
    },
  },
});

/** POST /api/admin/orders/:id/details: corrects the customer's details before the order is sent, or writes the admin's note. */
const details = adminEndpoint({
  route: 'admin/order/details',
  handlers: {
    async POST(ctx) {
      const id = idOf(ctx);
      const changes = await readJson(ctx.request, orderDetailsSchema);
      ctx.addLogFields({ order: id, fields: Object.keys(changes).join(' ') });
      await changeOrderDetails(id, changes);
      return showOrder(id);
    },
  },
});

/**
 * GET /api/admin/orders/:id/invoice: the tax invoice for print. POST, by a form for a tab of its own: issues it first, then the
 * same page; a link that somebody sends the admin can give no invoice a number.
 */
const invoice = adminEndpoint({
  route: 'admin/order/invoice',
  takes: 'form',
  handlers: {
    GET: (ctx) => documentOrErrorPage(async () => invoicePage(await readInvoice(idOf(ctx)))),
    POST: (ctx) =>
      documentOrErrorPage(async () => {
        await issueInvoice(idOf(ctx));
        return new Response(null, { status: 303, headers: { location: ctx.url.pathname } });
      }),
  },
});

/** GET and POST /api/admin/orders/:id/credit-note: as the invoice, but its credit notes alone. */
const creditNote = adminEndpoint({
  route: 'admin/order/credit-note',
  takes: 'form',
  handlers: {
    GET: (ctx) => documentOrErrorPage(async () => creditNotesPage(await readInvoice(idOf(ctx)))),
    POST: (ctx) =>
      documentOrErrorPage(async () => {
        await issueInvoice(idOf(ctx));
        return new Response(null, { status: 303, headers: { location: ctx.url.pathname } });
      }),
  },
});

/** POST /api/admin/orders/:id/mail-invoice: mails the customer their invoice, once a minute at most. */
const mailInvoice = adminEndpoint({
  route: 'admin/order/mail-invoice',
  handlers: {
    async POST(ctx) {
      const id = idOf(ctx);
      ctx.addLogFields({ order: id });
      await queueInvoiceMail(id);
      await sendOutboxAfterResponse(ctx);
      return showOrder(id);
    },
  },
});

/** POST /api/admin/orders/:id/withdraw-links: the links to this order that were mailed so far stop working. Shows the order. */
const withdrawLinks = adminEndpoint({
  route: 'admin/order/withdraw-links',
  handlers: {
    async POST(ctx) {
      const id = idOf(ctx);
      ctx.addLogFields({ order: id });
      await readJson(ctx.request, z.object({}));
      await callFunction('withdraw_order_links', { p_order_id: id }, z.boolean());
      return showOrder(id);
    },
  },
});

/** GET /api/admin/orders/:id/packing-slip: what goes into the parcel, for print. */
const packingSlip = adminEndpoint({
  route: 'admin/order/packing-slip',
  handlers: {
    GET: (ctx) => documentOrErrorPage(async () => packingSlipPage((await recordOf(ctx)).order)),
  },
});

export default routeByAction(
  {
    cancel,
    release,
    fulfilment,
    refund,
    details,
    invoice,
    'credit-note': creditNote,
    'mail-invoice': mailInvoice,
    'packing-slip': packingSlip,
    'withdraw-links': withdrawLinks,
  },
  order,
);

export const config: Config = {
  path: [
    '/api/admin/orders/:id',
    '/api/admin/orders/:id/:action(cancel|release|fulfilment|refund|details|invoice|credit-note|mail-invoice|packing-slip|withdraw-links)',
  ],
};
