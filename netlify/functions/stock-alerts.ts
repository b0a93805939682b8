import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { stockAlertSchema } from '../../src/domain/checkout/forms.ts';
import { stockAlertListSchema } from '../../src/domain/admin/stock-alerts.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { refusedFormPage } from '../server/forms/form-page.ts';
import { acceptPublicForm, limitPublicForm, readPublicForm, type PublicForm } from '../server/forms/public-form.ts';
import { byAction } from '../server/platform/by-action.ts';
import { callFunction } from '../server/platform/database.ts';
import { html } from '../server/platform/html.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint, json, type RequestContext } from '../server/platform/http.ts';
import { serverPage } from '../server/platform/page.ts';
import { readJson } from '../server/platform/request-body.ts';
import { shop } from '../../src/shop.config.ts';

const answerSchema = z.object({ outcome: z.enum(['waiting', 'available', 'unknown']) });

async function takeAddress({ context, addLogFields }: RequestContext, form: PublicForm): Promise<void> {
  const { product_id: product, size, email } = acceptPublicForm(form, stockAlertSchema);
  await limitPublicForm('stock-alert', context, { hits: 10, seconds: 600 }, { hits: 300, seconds: 3_600 });
  const { outcome } = await callFunction('ask_stock_alert', { p_product_id: product, p_size: size, p_email: email }, answerSchema);
  addLogFields({ outcome });
  if (outcome === 'available') throw new HttpError(409, 'available', 'Good news: it is there again. Please load the page once more.');
  if (outcome === 'unknown') throw new HttpError(404, 'not_found', 'This piece is no longer in the shop.');
}

/**
 * POST /api/stock-alert {product_id, size, email}: one mail when it is there again. JSON 200 {received: true}, the same for
 * an address that waits already; a form that the browser posted is answered with a page.
 */
const ask = endpoint({
  route: 'stock-alert',
  method: 'POST',
  async handler(ctx) {
    const form = await readPublicForm(ctx.request);
    const typed = (name: string): string => (typeof form.raw[name] === 'string' ? form.raw[name] : '');
    try {
      await takeAddress(ctx, form);
    } catch (error) {
      if (!form.posted) throw error;
      // The piece goes along in the address, so that nothing but the e-mail is to be typed again.
      return refusedFormPage('/api/stock-alert', error, 'Tell me', [
        { name: 'email', label: 'Email Address', type: 'email', value: typed('email'), required: true },
        { name: 'product_id', label: 'Piece', type: 'text', value: typed('product_id'), required: true },
        { name: 'size', label: 'Size', type: 'text', value: typed('size'), required: false },
      ]);
    }
    if (!form.posted) return json({ received: true });
    const body = html`<h1>We will write to you</h1><p>You get one e-mail when it is back.</p><p><a href="/shop">Back to ${shop.name}</a></p>`;
    return serverPage({ status: 200, title: `We will write to you – ${shop.name}`, body });
  },
});

const listed = async (): Promise<Response> => json({ alerts: await callFunction('list_stock_alerts', {}, stockAlertListSchema) });

/** GET /api/admin/stock-alert: who waits for what; DELETE {ids} takes addresses off the list and answers with the rest. */
const adminAlerts = adminEndpoint({
  route: 'admin/stock-alert',
  handlers: {
    GET: listed,
    async DELETE({ request }) {
      const { ids } = await readJson(request, z.object({ ids: z.array(z.int()).check(z.minLength(1), z.maxLength(500)) }));
      await callFunction('delete_stock_alerts', { p_ids: ids }, z.int());
      return listed();
    },
  },
});

export default byAction({ admin: adminAlerts }, ask);

export const config: Config = { path: ['/api/stock-alert', '/api/:action(admin)/stock-alert'] };
