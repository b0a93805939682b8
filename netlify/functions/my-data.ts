import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { accountOfDeletionToken } from '../server/account/deletion-link.ts';
import { personalDataFile, personalDataPage } from '../server/account/personal-data-page.ts';
import { readOwnData } from '../server/account/personal-data.ts';
import { readFormToken, requireShopper } from '../server/auth/shopper.ts';
import { answerWithPage } from '../server/forms/newsletter-link.ts';
import { sendOutboxAfterResponse } from '../server/payments/send-after-response.ts';
import { documentOrErrorPage } from '../server/orders/print/document-error.ts';
import { routeByAction } from '../server/platform/route-by-action.ts';
import { callFunction } from '../server/platform/database.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { limitRate } from '../server/platform/rate-limit.ts';

/**
 * POST /api/my-data?as=page|file with the customer's token in a form's field `token`, for a tab of its own: everything that the
 * shop holds about them, as a page or as JSON to keep. 401, 429, 503 as pages.
 */
const show = endpoint({
  route: 'my-data',
  method: 'POST',
  handler: ({ request }) =>
    documentOrErrorPage(
      async () => {
        const asFile = new URL(request.url).searchParams.get('as') === 'file';
        const { id } = await requireShopper(await readFormToken(request), 'see your data');
        await limitRate({ bucket: `my-data:${id}`, hits: 20, seconds: 3_600 });
        const data = await readOwnData(id);
        return asFile ? personalDataFile(data) : personalDataPage(data);
      },
      { path: '/profile', text: 'Back to your account' },
    ),
});

const outcomes = z.object({ outcome: z.enum(['mailed', 'mailed_before', 'no_address']) });

/**
 * POST /api/my-data/delete with the customer's token: mails the link that deletes the account, so that a borrowed phone deletes
 * nothing. `{email}`, the address that it goes to; the same when it was mailed a moment ago.
 */
const askDeletion = endpoint({
  route: 'my-data/delete',
  method: 'POST',
  async handler({ request, context, addLogFields }) {
    const { id, email } = await requireShopper(request, 'delete your account');
    await limitRate({ bucket: `delete-account:${id}`, hits: 10, seconds: 3_600 });
    const { outcome } = await callFunction('ask_account_deletion', { p_user_id: id }, outcomes);
    addLogFields({ outcome });
    if (outcome === 'no_address') {
      const sentence = 'Please confirm your e-mail address first: the link is sent to it.';
      throw new HttpError(409, 'no_address', sentence);
    }
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

export default routeByAction({ delete: askDeletion, account: deleteAccount }, show);

export const config: Config = {
  path: ['/api/my-data', '/api/my-data/:action(delete)', '/:action(account)/delete'],
  method: 'POST',
};
