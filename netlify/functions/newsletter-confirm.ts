import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { answerWithPage, readToken } from '../server/forms/newsletter-link.ts';
import { sendOutbox } from '../server/mail/outbox.ts';
import { afterResponse } from '../server/platform/background.ts';
import { callFunction } from '../server/platform/database.ts';
import { endpoint } from '../server/platform/http.ts';
import { HttpError } from '../server/platform/http-error.ts';

/**
 * POST /newsletter/confirm?token=… — the button of src/pages/newsletter/confirm.astro, to which the mail's link leads: GET
 * is that static page and changes nothing, because mail scanners open links. 303 to /newsletter/confirmed, or a page.
 */
export default endpoint({
  route: 'newsletter/confirm',
  method: 'POST',
  handler: ({ request, context }) =>
    answerWithPage('/newsletter/confirmed', async () => {
      const known = await callFunction('confirm_subscription', { p_token: readToken(request) }, z.boolean());
      if (!known) throw new HttpError(404, 'not_found', 'It has expired, or the newsletter was ended. You can ask for it again.');
      await afterResponse(context, 'outbox', () => sendOutbox());
    }),
});

export const config: Config = { path: '/newsletter/confirm', method: 'POST' };
