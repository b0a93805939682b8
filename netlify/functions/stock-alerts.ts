import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { stockAlertSchema } from '../../src/domain/checkout/forms.ts';
import { stockAlertListSchema } from '../../src/domain/admin/stock-alerts.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { publicFormEndpoint } from '../server/forms/public-form.ts';
import { byAction } from '../server/platform/by-action.ts';
import { callFunction } from '../server/platform/database.ts';
import { html } from '../server/platform/html.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { json } from '../server/platform/http.ts';
import { serverPage } from '../server/platform/page.ts';
import { readJson } from '../server/platform/request-body.ts';
import { shop } from '../../src/shop.config.ts';

const answerSchema = z.object({ outcome: z.enum(['waiting', 'available', 'unknown']) });

/**
 * POST /api/stock-alert {product_id, size, email}: one mail when it is there again. The same answer for an address that waits
 * already.
 */
const ask = publicFormEndpoint({
  route: 'stock-alert',
  schema: stockAlertSchema,
  limits: { caller: { hits: 10, seconds: 600 }, everyone: { hits: 300, seconds: 3_600 } },
  // The piece goes along in the address, so that nothing but the e-mail is to be typed again.
  fields: [
    { name: 'email', label: 'Email Address', type: 'email', required: true },
    { name: 'product_id', label: 'Piece', type: 'text', required: true },
    { name: 'size', label: 'Size', type: 'text', required: false },
  ],
  button: 'Tell me',
  async take({ product_id: product, size, email }, { addLogFields }) {
    const { outcome } = await callFunction(
      'ask_stock_alert',
      { p_product_id: product, p_size: size, p_email: email },
      answerSchema,
    );
    addLogFields({ outcome });
    if (outcome === 'available')
      throw new HttpError(
        409,
        'available',
        'Good news: it is there again. Please load the page once more.',
      );
    if (outcome === 'unknown')
      throw new HttpError(404, 'not_found', 'This piece is no longer in the shop.');
  },
  done() {
    const body = html`<h1>We will write to you</h1>
      <p>You get one e-mail when it is back.</p>
      <p><a href="/shop">Back to ${shop.name}</a></p>`;
    return serverPage({ status: 200, title: `We will write to you – ${shop.name}`, body });
  },
});

const listed = async (): Promise<Response> =>
  json({ alerts: await callFunction('list_stock_alerts', {}, stockAlertListSchema) });

/** GET /api/admin/stock-alert: who waits for what; DELETE {ids} takes addresses off the list and answers with the rest. */
const adminAlerts = adminEndpoint({
  route: 'admin/stock-alert',
  handlers: {
    GET: listed,
    async DELETE({ request }) {
      const { ids } = await readJson(
        request,
        z.object({ ids: z.array(z.int()).check(z.minLength(1), z.maxLength(500)) }),
      );
      await callFunction('delete_stock_alerts', { p_ids: ids }, z.int());
      return listed();
    },
  },
});

export default byAction({ admin: adminAlerts }, ask);

export const config: Config = { path: ['/api/stock-alert', '/api/:action(admin)/stock-alert'] };
