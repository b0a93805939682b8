import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { newsletterSchema } from '../../src/domain/checkout/forms.ts';
import { newsletterConsent } from '../../src/domain/checkout/public-form.ts';
import { afterResponse } from '../server/platform/background.ts';
import { callFunction } from '../server/platform/database.ts';
import { refusedFormPage } from '../server/forms/form-page.ts';
import { endpoint, json, type RequestContext } from '../server/platform/http.ts';
import { sendOutbox } from '../server/mail/outbox.ts';
import { acceptPublicForm, limitPublicForm, readPublicForm, type PublicForm } from '../server/forms/public-form.ts';

const perCaller = { hits: 10, seconds: 600 };
const together = { hits: 300, seconds: 3_600 };

async function takeAddress({ context }: RequestContext, form: PublicForm): Promise<void> {
  const { email } = acceptPublicForm(form, newsletterSchema);
  await limitPublicForm('newsletter', context, perCaller, together);
  await callFunction('subscribe', { p_email: email, p_consent_text: newsletterConsent }, z.unknown());
  await afterResponse(context, 'outbox', () => sendOutbox());
}

/**
 * POST /api/newsletter — mails an address the link with which it confirms its subscription. The answer is the same for
 * a new address and a known one: JSON 200 {received: true}, or for a form that the browser posted 303 to
 * /newsletter/subscribed.
 */
export default endpoint({
  route: 'newsletter',
  method: 'POST',
  handler: async (ctx) => {
    const form = await readPublicForm(ctx.request);
    try {
      await takeAddress(ctx, form);
    } catch (error) {
      if (!form.posted) throw error;
      const typed = form.raw['email'];
      const value = typeof typed === 'string' ? typed : '';
      return refusedFormPage('/api/newsletter', error, 'Subscribe', [
        { name: 'email', label: 'Email Address', type: 'email', value, required: true },
      ]);
    }
    if (!form.posted) return json({ received: true });
    return new Response(null, { status: 303, headers: { location: '/newsletter/subscribed' } });
  },
});

export const config: Config = { path: '/api/newsletter' };
