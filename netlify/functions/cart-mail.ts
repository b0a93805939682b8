import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { answerWithPage } from '#core/forms/newsletter-link.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { readBytes } from '#core/platform/http/request-body.ts';
import { readUnsubscribeToken } from '#netlify/features/cart-mail/links.ts';

/**
 * POST /cart-mail/unsubscribe?token=…: an address wants no mail about a cart any more. The button of
 * src/features/cart-mail/pages/cart-mail/unsubscribe.astro, to which the mail's link leads, gets a 303 to /cart-mail/unsubscribed,
 * or a page. GET is that static page and changes nothing, because mail scanners open links. The mail program's own button (RFC
 * 8058) gets a 200 without a redirect. A link that is cut gets a 400.
 */
export default endpoint({
  route: 'cart-mail/unsubscribe',
  method: 'POST',
  async handler({ request }) {
    const leave = async (): Promise<void> => {
      const hash = readUnsubscribeToken(new URL(request.url).searchParams.get('token'));
      if (hash === null)
        throw new HttpError(
          400,
          'invalid_request',
          'This link is incomplete. Please open the complete link from the mail.',
        );
      await callFunction('refuse_cart_mails', { p_address_hash: hash }, z.unknown());
    };
    // The mail program sends a form of either type; the page's own form sends nothing.
    const oneClick = new TextDecoder().decode(await readBytes(request)).includes('One-Click');
    if (!oneClick) return answerWithPage('/cart-mail/unsubscribed', leave);
    await leave();
    return json({ unsubscribed: true });
  },
});

export const config: Config = {
  path: '/cart-mail/unsubscribe',
  // GET of the link is a static page.
  method: 'POST',
};
