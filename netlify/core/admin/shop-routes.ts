import * as z from 'zod/mini';
import { inboxApi } from '#domain/admin/inbox.ts';
import { refundPayment } from '#domain/admin/orders/orders-api.ts';
import { personalDataApi } from '#domain/admin/personal-data.ts';
import { publishApi } from '#domain/admin/publish.ts';
import { todayApi } from '#domain/admin/today.ts';
import { readMonth } from '#domain/india-month.ts';
import { answer, respond } from '#core/auth/admin-routes.ts';
import { requireConfirmed } from '#core/auth/confirm.ts';
import { listInbox, markInbox } from '#core/forms/inbox.ts';
import { accountsOf } from '#core/orders/documents/accounts-csv.ts';
import { gstr1Zip } from '#core/orders/documents/gstr1-zip.ts';
import { requestPaymentRefund } from '#core/orders/order-steps.ts';
import { readToday } from '#core/orders/today.ts';
import { paymentIdSchema } from '#core/payments/razorpay-entities.ts';
import { sendRefundsNow } from '#core/payments/send-after-response.ts';
import { callFunction } from '#core/platform/database.ts';
import { csvAnswer } from '#core/platform/http/csv-answer.ts';
import { json } from '#core/platform/http/http.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { readPublishState, requestBuild } from '#core/publishing/publish.ts';

/** The month that a query asks for. Throws 400. */
function monthOf(url: URL): string {
  const month = readMonth(url.searchParams.get('month'));
  if (month === null)
    throw new HttpError(400, 'invalid_request', 'Choose a month, such as 2026-11.');
  return month;
}

/** What the admin sees and does besides single orders and products. */
export const shopRoutes = [
  answer(todayApi.read, ({ url }) => readToday(url.searchParams.get('known'))),

  answer(publishApi.read, ({ request }) => readPublishState(request)),
  answer(publishApi.request, async ({ request, body: { auto = false }, addLogFields }) => {
    const asked = await requestBuild(request, auto ? 'auto' : 'admin');
    addLogFields({ auto, asked });
    const state = await readPublishState(request);
    if (
      !auto &&
      !asked &&
      state.configured &&
      state.count === 0 &&
      state.build.state === 'published'
    )
      throw new HttpError(
        409,
        'nothing_to_publish',
        'Everything is published already: publishing again would change nothing.',
      );
    return state;
  }),

  answer(refundPayment, async (ctx) => {
    const id = paymentIdSchema.safeParse(ctx.params['paymentId']);
    if (!id.success) throw new HttpError(404, 'not_found', 'This payment was not found.');
    ctx.addLogFields({ payment: id.data });
    await requestPaymentRefund(ctx.session, id.data, ctx.body.key);
    await sendRefundsNow(ctx);
    return { ok: true };
  }),

  // 403 `confirm_again` unless the admin confirmed lately.
  answer(personalDataApi.erase, async ({ session, body: { email }, addLogFields }) => {
    requireConfirmed(session);
    const kept = await callFunction('erase_address', { p_email: email }, z.int());
    addLogFields({ kept });
    return { kept };
  }),

  answer(personalDataApi.others, async ({ body: { email } }) => ({
    orders: await callFunction('orders_naming', { p_email: email }, z.array(z.int())),
  })),

  // `kind` is one of `inboxKinds`.
  respond(inboxApi.messages, async ({ url }) => json(await listInbox(url.searchParams))),
  answer(inboxApi.mark, async ({ params: { kind, id }, body, addLogFields }) => {
    if (kind !== 'messages' && kind !== 'forms')
      throw new HttpError(404, 'not_found', 'There is no such list.');
    addLogFields({ kind });
    await markInbox(kind, id, body);
    return { ok: true };
  }),

  // A month of India's calendar for the accountant, `?month=2026-11`: its documents line by line, or GSTR-1.
  respond({ method: 'GET', path: '/api/admin/orders.csv' }, async ({ url }) => {
    const month = monthOf(url);
    return csvAnswer(`accounts-${month}-documents.csv`, await accountsOf(month));
  }),
  respond({ method: 'GET', path: '/api/admin/gstr1.zip' }, ({ url }) => gstr1Zip(monthOf(url))),
];
