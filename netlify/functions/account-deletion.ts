import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { accountOfDeletionToken, deletionOutcomes } from '#core/account/deletion-link.ts';
import { requireCustomer } from '#core/auth/customer.ts';
import { answerWithPage } from '#core/forms/newsletter-link.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { limitCost } from '#core/platform/costs.ts';
import { routeByAction } from '#core/platform/http/route-by-action.ts';

const outcomes = z.object({ outcome: z.enum(deletionOutcomes) });

/**
 * POST /api/my-data/delete with the customer's token: mails the link that deletes the account, so that a borrowed phone deletes
 * nothing. `{email}`, the address that it goes to; the same when it was mailed a moment ago.
 */
const askDeletion = endpoint({
  route: 'my-data/delete',
  method: 'POST',
  async handler({ request, context, addLogFields }) {
    const { id, email } = await requireCustomer(request, 'delete your account');
    await limitCost('account_request', { account: id });
    const { outcome } = await callFunction('ask_account_deletion', { p_user_id: id }, outcomes);
    addLogFields({ outcome });
    if (outcome === 'no_address') {
      const sentence = 'Please confirm your e-mail address first: the link is sent to it.';
      throw new HttpError(409, 'no_address', sentence);
    }
    if (outcome === 'later')
      throw new HttpError(
        429,
        'too_many_requests',
        'No e-mail can be sent right now. Please try again in an hour.',
      );
    await sendOutboxAfterResponse({ context });
    return json({ email });
  },
});

/**
 * POST /account/delete?token=… — the button of src/pages/account/delete.astro, to which the mail's link leads: GET is that
 * static page and changes nothing, because mail scanners open links. 303 to /account/deleted, also for an account that is gone
 * already, or a page.
 */
const deleteAccount = endpoint({
  route: 'account/delete',
  method: 'POST',
  handler: ({ request, addLogFields }) =>
    answerWithPage('/account/deleted', async () => {
      const id = accountOfDeletionToken(new URL(request.url).searchParams.get('token'));
      if (id === null) {
        const sentence =
          'It has expired or is incomplete. You can ask for a new one on your profile page.';
        throw new HttpError(404, 'not_found', sentence);
      }
      addLogFields({ known: await callFunction('delete_account', { p_user_id: id }, z.boolean()) });
    }),
});

export default routeByAction({ account: deleteAccount }, askDeletion);

export const config: Config = {
  path: ['/api/my-data/delete', '/:action(account)/delete'],
  method: 'POST',
};
