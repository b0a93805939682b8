import * as z from 'zod/mini';
import { answerWithPage, readToken } from '#core/forms/newsletter-link.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint } from '#core/platform/http/http.ts';

/** What SQL `ask_stock_alert` answers. */
export const alertOutcomes = [
  'waiting',
  'available',
  'unknown',
  'full',
  'too_many',
  'later',
] as const;

/**
 * POST /stock-alert/confirm?token=… — the button of src/features/stock-alerts/pages/stock-alert/confirm.astro, to which the mail's link leads: GET is
 * that static page and changes nothing, because mail scanners open links. 303 to /stock-alert/confirmed, or a page.
 */
export const confirm = endpoint({
  route: 'stock-alert/confirm',
  method: 'POST',
  handler: ({ request }) =>
    answerWithPage('/stock-alert/confirmed', async () => {
      const known = await callFunction(
        'confirm_stock_alert',
        { p_token: readToken(request) },
        z.boolean(),
      );
      if (!known)
        throw new HttpError(
          404,
          'not_found',
          'It has expired, or we have notified you already. You can ask again on the page of the product.',
        );
    }),
});
