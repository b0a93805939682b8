import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { stockAlertSchema } from '#domain/checkout/forms.ts';
import { stockAlertNextStep as nextStep } from '#features/stock-alerts/domain/next-step.ts';
import { findCustomer } from '#core/auth/customer.ts';
import { noMoreMailsToday, publicFormEndpoint } from '#core/forms/public-form.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { callFunction } from '#core/platform/database.ts';
import { html } from '#core/platform/http/html.ts';
import { alertOutcomes, confirm } from '#netlify/features/stock-alerts/confirm.ts';
import { routeByPath } from '#core/platform/http/route-by-action.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { serverPage } from '#core/platform/http/page.ts';
import { shop } from '#settings/shop.ts';

const answerSchema = z.object({
  outcome: z.enum(alertOutcomes),
});

/** Refusals, with the sentence for the visitor. */
const refusals = {
  available: [409, 'Good news: it is back in stock. Please reload the page.'],
  unknown: [404, 'This product is no longer in the shop.'],
  full: [409, 'Many people are waiting for this product already. Please check again later.'],
  too_many: [
    409,
    'This address is waiting for three products already. You can add another one when one of them is back.',
  ],
} as const;

/**
 * POST /api/stock-alert {product_id, size, email}: one mail when it is back in stock. The address confirms first, by the link
 * of a mail; that of the signed-in customer is confirmed already. The same answer for an address that waits already.
 */
const ask = publicFormEndpoint({
  route: 'stock-alert',
  schema: stockAlertSchema,
  // The URL carries the product, so that only the e-mail must be typed again.
  fields: [
    { name: 'email', label: 'Email Address', type: 'email', required: true },
    { name: 'product_id', label: 'Piece', type: 'text', required: true },
    { name: 'size', label: 'Size', type: 'text', required: false },
  ],
  button: 'Tell me',
  async take({ product_id: product, size, email }, { request, context, addLogFields }) {
    const customer = await findCustomer(request);
    const { outcome } = await callFunction(
      'ask_stock_alert',
      { p_product_id: product, p_size: size, p_email: email, p_user_id: customer?.id ?? null },
      answerSchema,
    );
    addLogFields({ outcome });
    if (outcome === 'later') throw noMoreMailsToday();
    if (outcome !== 'waiting') {
      const [status, message] = refusals[outcome];
      throw new HttpError(status, outcome === 'unknown' ? 'not_found' : outcome, message);
    }
    await sendOutboxAfterResponse({ context });
  },
  done() {
    const body = html`<h1>We will write to you</h1>
      <p>${nextStep}</p>
      <p><a href="/shop">Back to ${shop.name}</a></p>`;
    return serverPage({ status: 200, title: `We will write to you – ${shop.name}`, body });
  },
});

export default routeByPath({ '/api/stock-alert': ask, '/stock-alert/confirm': confirm });

export const config: Config = {
  path: ['/api/stock-alert', '/stock-alert/confirm'],
  // GET of the second is a static page.
  method: 'POST',
};
