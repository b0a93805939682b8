import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { newOrderSchema } from '../../src/domain/admin/orders/new-order.ts';
import { readMonth } from '../../src/domain/india-month.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { sendOutboxAfterResponse } from '../server/mail/outbox.ts';
import { sendRefundsNow } from '../server/payments/send-after-response.ts';
import { accountsListSchema, accountsOf } from '../server/orders/documents/accounts-csv.ts';
import { adminOrderOf } from '../server/orders/admin-order.ts';
import { placeAdminOrder } from '../server/orders/new-order.ts';
import { listOrders } from '../server/orders/order-list.ts';
import { readOrderRecord } from '../server/orders/order-record.ts';
import { requestPaymentRefund } from '../server/orders/order-steps.ts';
import { documentOrErrorPage } from '../server/orders/print/document-error.ts';
import { labelsPage, labelSheetSchema } from '../server/orders/print/labels-page.ts';
import { packingSlipsPage } from '../server/orders/print/packing-slip-page.ts';
import { listCustomers, readFigures } from '../server/orders/sales.ts';
import { readToday } from '../server/orders/today.ts';
import { ordersOfStage } from '../server/orders/waiting-orders.ts';
import { getPaymentProvider } from '../server/payments/payment-provider.ts';
import { paymentIdSchema } from '../server/payments/razorpay-entities.ts';
import { routeByAction } from '../server/platform/http/route-by-action.ts';
import { csvAnswer } from '../server/platform/http/csv-answer.ts';
import { HttpError } from '../server/platform/http/http-error.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';

/**
 * GET /api/admin/orders?q=&filter=&cursor=&limit=: a page of orders, newest first (those to pack and packed: oldest first), and how many each filter has. POST: the order of a
 * sale outside the shop; the same key is the same order.
 */
const orders = adminEndpoint({
  route: 'admin/orders',
  handlers: {
    GET: async ({ url }) => json(await listOrders(url.searchParams)),
    async POST(ctx) {
      const order = await readJson(ctx.request, newOrderSchema);
      const id = await placeAdminOrder(order, () => getPaymentProvider(ctx));
      ctx.addLogFields({ order: id, by: order.payment.by });
      await sendOutboxAfterResponse(ctx);
      return json({ order: adminOrderOf(await readOrderRecord(id)) });
    },
  },
});

/** GET /api/admin/orders.csv?month=2026-11&list=documents, hsn or states: a month of India's calendar for the accountant. */
const ordersCsv = adminEndpoint({
  route: 'admin/orders.csv',
  handlers: {
    async GET({ url }) {
      const month = readMonth(url.searchParams.get('month'));
      if (month === null)
        throw new HttpError(400, 'invalid_request', 'Choose a month, such as 2026-11.');
      const list = accountsListSchema.safeParse(url.searchParams.get('list') ?? 'documents').data;
      if (list === undefined)
        throw new HttpError(400, 'invalid_request', 'Choose documents, hsn or states.');
      return csvAnswer(`accounts-${month}-${list}.csv`, await accountsOf(month, list));
    },
  },
});

/** GET /api/admin/today?known=: what needs the admin's attention now, unless it is the version that the page knows. */
const today = adminEndpoint({
  route: 'admin/today',
  handlers: {
    GET: async ({ url }) => json(await readToday(url.searchParams.get('known'))),
  },
});

/** GET /api/admin/packing-slips?stage=to_pack or packed&orders=1001,1004: the slips of the chosen ones, or of the oldest orders that wait there, one print. */
const packingSlips = adminEndpoint({
  route: 'admin/packing-slips',
  handlers: {
    GET: ({ url }) =>
      documentOrErrorPage(async () => {
        const { orders: slips, total } = await ordersOfStage(url, 50, false);
        return packingSlipsPage(slips, total);
      }),
  },
});

/** GET /api/admin/labels?stage=&orders=&sheet=a4 or thermal: address labels of the same orders, without those that are handed over. */
const labels = adminEndpoint({
  route: 'admin/labels',
  handlers: {
    GET: ({ url }) =>
      documentOrErrorPage(async () => {
        const sheet = labelSheetSchema.safeParse(url.searchParams.get('sheet') ?? 'a4').data;
        if (sheet === undefined)
          throw new HttpError(400, 'invalid_request', 'Labels are for a4, or thermal.');
        return labelsPage((await ordersOfStage(url, 100, true)).orders, sheet);
      }),
  },
});

/** GET /api/admin/customers?q=&sort=&cursor=&limit=: who bought, how often, for how much. */
const customers = adminEndpoint({
  route: 'admin/customers',
  handlers: { GET: async ({ url }) => json(await listCustomers(url.searchParams)) },
});

/** GET /api/admin/figures?period=week, month or year&day=2026-11-22: sales of the period that the day is in. */
const figures = adminEndpoint({
  route: 'admin/figures',
  handlers: { GET: async ({ url }) => json(await readFigures(url)) },
});

const refundSchema = z.object({ key: z.uuid() });

/** POST /api/admin/payments/:paymentId/refund: sends back a payment that matches no order; tries a failed refund again. */
const paymentRefund = adminEndpoint({
  route: 'admin/payments/refund',
  handlers: {
    async POST(ctx) {
      const id = paymentIdSchema.safeParse(ctx.context.params['paymentId']);
      if (!id.success) throw new HttpError(404, 'not_found', 'This payment was not found.');
      const { key } = await readJson(ctx.request, refundSchema);
      ctx.addLogFields({ payment: id.data });
      await requestPaymentRefund(ctx.session, id.data, key);
      await sendRefundsNow(ctx);
      return json({ ok: true });
    },
  },
});

export default routeByAction(
  {
    'orders.csv': ordersCsv,
    today,
    'packing-slips': packingSlips,
    labels,
    customers,
    figures,
    refund: paymentRefund,
  },
  orders,
);

export const config: Config = {
  path: [
    '/api/admin/:action(orders|orders\\.csv|today|packing-slips|labels|customers|figures)',
    '/api/admin/payments/:paymentId/:action(refund)',
  ],
};
