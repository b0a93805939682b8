import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { newsletterSchema } from '#domain/checkout/forms.ts';
import { newsletterConsent } from '#features/newsletter/domain/consent.ts';
import { routeByPath } from '#core/platform/http/route-by-action.ts';
import { confirm, subscribeOutcomes, unsubscribe } from '#netlify/features/newsletter/links.ts';
import { noMoreMailsToday, publicFormEndpoint } from '#core/forms/public-form.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { callFunction } from '#core/platform/database.ts';

/**
 * POST /api/newsletter: mails an address the link with which it confirms its subscription. The answer is the same for a new
 * address and a known one. Posted without a script: 303 to /newsletter/subscribed.
 */
const subscribe = publicFormEndpoint({
  route: 'newsletter',
  schema: newsletterSchema,
  fields: [{ name: 'email', label: 'Email Address', type: 'email', required: true }],
  button: 'Subscribe',
  async take({ email }, { context }) {
    const answer = await callFunction(
      'subscribe',
      { p_email: email, p_consent_text: newsletterConsent },
      z.object({ outcome: z.enum(subscribeOutcomes) }),
    );
    if (answer.outcome === 'later') throw noMoreMailsToday();
    await sendOutboxAfterResponse({ context });
  },
  done: () => new Response(null, { status: 303, headers: { location: '/newsletter/subscribed' } }),
});

export default routeByPath({
  '/api/newsletter': subscribe,
  '/newsletter/confirm': confirm,
  '/newsletter/unsubscribe': unsubscribe,
});

export const config: Config = {
  path: ['/api/newsletter', '/newsletter/:action(confirm|unsubscribe)'],
  // GET of the links is a static page.
  method: 'POST',
};
