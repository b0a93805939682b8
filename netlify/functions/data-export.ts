import type { Config } from '@netlify/functions';
import {
  personalDataFile,
  personalDataPage,
} from '#netlify/features/data-export/personal-data-page.ts';
import { readOwnData } from '#netlify/features/data-export/personal-data.ts';
import { readFormToken, requireCustomer } from '#core/auth/customer.ts';
import { documentOrErrorPage } from '#core/orders/print/document-error.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { limitCost } from '#core/platform/costs.ts';

/**
 * POST /api/my-data?as=page|file with the customer's token in a form's field `token`, for a tab of its own: everything that the
 * shop holds about them, as a page or as a JSON file. 401, 429, 503 as pages.
 */
export default endpoint({
  route: 'my-data',
  method: 'POST',
  handler: ({ request }) =>
    documentOrErrorPage(
      async () => {
        const asFile = new URL(request.url).searchParams.get('as') === 'file';
        const { id } = await requireCustomer(await readFormToken(request), 'see your data');
        await limitCost('account_request', { account: id });
        const data = await readOwnData(id);
        return asFile ? personalDataFile(data) : personalDataPage(data);
      },
      { path: '/profile', text: 'Back to your account' },
    ),
});

export const config: Config = { path: '/api/my-data', method: 'POST' };
