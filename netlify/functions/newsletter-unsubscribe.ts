import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { answerWithPage, readToken } from '../server/forms/newsletter-link.ts';
import { callFunction } from '../server/platform/database.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { readBytes } from '../server/platform/request-body.ts';

/**
 * POST /newsletter/unsubscribe?token=… — ends a subscription. From the button of src/pages/newsletter/unsubscribe.astro,
 * to which the mails' links lead (GET is that static page and changes nothing, because mail scanners open links): 303 to
 * /newsletter/unsubscribed, or a page. From the mail program's own button (RFC 8058): 200 without a redirect. Both say
 * the same for a token that is unknown or used: whoever has no subscription has left.
 */
export default endpoint({
  route: 'newsletter/unsubscribe',
  method: 'POST',
  async handler({ request, addLogFields }) {
    const leave = async (): Promise<void> => {
      addLogFields({ known: await callFunction('unsubscribe', { p_token: readToken(request) }, z.boolean()) });
    };
    // As a form of either type; the page's own form sends nothing.
    const oneClick = new TextDecoder().decode(await readBytes(request)).includes('One-Click');
    if (!oneClick) return answerWithPage('/newsletter/unsubscribed', leave);
    await leave();
    return json({ unsubscribed: true });
  },
});

export const config: Config = { path: '/newsletter/unsubscribe', method: 'POST' };
