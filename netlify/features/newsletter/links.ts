import * as z from 'zod/mini';
import { answerWithPage, readToken } from '#core/forms/newsletter-link.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { readBytes } from '#core/platform/http/request-body.ts';

/** What SQL `subscribe` answers. */
export const subscribeOutcomes = ['asked', 'later'] as const;

/**
 * POST /newsletter/confirm?token=… — the button of src/features/newsletter/pages/newsletter/confirm.astro, to which the mail's link leads: GET
 * is that static page and changes nothing, because mail scanners open links. 303 to /newsletter/confirmed, or a page.
 */
export const confirm = endpoint({
  route: 'newsletter/confirm',
  method: 'POST',
  handler: ({ request, context }) =>
    answerWithPage('/newsletter/confirmed', async () => {
      const known = await callFunction(
        'confirm_subscription',
        { p_token: readToken(request) },
        z.boolean(),
      );
      if (!known)
        throw new HttpError(
          404,
          'not_found',
          'It has expired, or you have unsubscribed. You can subscribe again.',
        );
      await sendOutboxAfterResponse({ context });
    }),
});

/**
 * POST /newsletter/unsubscribe?token=… — ends a subscription. The button of
 * src/features/newsletter/pages/newsletter/unsubscribe.astro, to which the mails' links lead, gets a 303 to
 * /newsletter/unsubscribed, or a page. GET is that static page and changes nothing, because mail scanners open links. The mail
 * program's own button (RFC 8058) gets a 200 without a redirect. Both say the same for a token that is unknown or used: whoever has
 * no subscription has left.
 */
export const unsubscribe = endpoint({
  route: 'newsletter/unsubscribe',
  method: 'POST',
  async handler({ request, addLogFields }) {
    const leave = async (): Promise<void> => {
      addLogFields({
        known: await callFunction('unsubscribe', { p_token: readToken(request) }, z.boolean()),
      });
    };
    // The mail program sends a form of either type; the page's own form sends nothing.
    const oneClick = new TextDecoder().decode(await readBytes(request)).includes('One-Click');
    if (!oneClick) return answerWithPage('/newsletter/unsubscribed', leave);
    await leave();
    return json({ unsubscribed: true });
  },
});
