import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { callFunction } from '../server/platform/database.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { HttpError } from '../server/platform/http-error.ts';

/**
 * GET or POST /api/newsletter/unsubscribe?token=… — ends a subscription at once. GET is the link in the mails and
 * answers 303 to a page; POST is the mail program's own button (RFC 8058) and answers 200 without a redirect.
 * Both say the same for a token that is unknown or used: whoever has no subscription has left.
 */
export default endpoint({
  route: 'newsletter/unsubscribe',
  method: 'ANY',
  handler: async ({ request, addLogFields }) => {
    if (request.method !== 'GET' && request.method !== 'POST') {
      throw new HttpError(405, 'method_not_allowed', 'Use GET or POST.');
    }
    const token = z.uuid().safeParse(new URL(request.url).searchParams.get('token'));
    // Not UUID-shaped: a link that a mail program cut. Saying "done" would be untrue.
    if (!token.success) {
      throw new HttpError(400, 'invalid_request', 'This link is not complete. Please open the whole link of the mail.');
    }
    addLogFields({ known: await callFunction('unsubscribe', { p_token: token.data }, z.boolean()) });
    if (request.method === 'POST') return json({ unsubscribed: true });
    return new Response(null, { status: 303, headers: { location: '/newsletter/unsubscribed' } });
  },
});

export const config: Config = { path: '/api/newsletter/unsubscribe' };
