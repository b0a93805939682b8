import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { addressSchema } from '../../src/domain/admin/personal-data.ts';
import { personalDataFile, personalDataPage } from '../server/account/personal-data-page.ts';
import { readDataOfAddress } from '../server/account/personal-data.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { requireConfirmed } from '../server/auth/confirm.ts';
import { routeByAction } from '../server/platform/http/route-by-action.ts';
import { callFunction } from '../server/platform/database.ts';
import { HttpError } from '../server/platform/http/http-error.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';

/**
 * POST /api/admin/personal-data?as=page|file with `{email}`: everything that the shop stores about the person with this e-mail address, to hand
 * on to whoever wrote from it. By POST, so that no address is logged. 404 when nothing is stored.
 */
const show = adminEndpoint({
  route: 'admin/personal-data',
  handlers: {
    async POST({ request, url }) {
      const { email } = await readJson(request, addressSchema);
      const data = await readDataOfAddress(email);
      if (data === null)
        throw new HttpError(404, 'not_found', 'The shop has no data about this address.');
      return url.searchParams.get('as') === 'file'
        ? personalDataFile(data)
        : personalDataPage(data);
    },
  },
});

/**
 * POST /api/admin/personal-data/erase with `{email}`: deletes the account of this address and everything else of its person.
 * 403 `confirm_again` unless the admin confirmed lately.
 * `{kept}`: how many of their orders stay, because they were paid or may still be.
 */
const erase = adminEndpoint({
  route: 'admin/personal-data/erase',
  handlers: {
    async POST({ request, session, addLogFields }) {
      requireConfirmed(session);
      const { email } = await readJson(request, addressSchema);
      const kept = await callFunction('erase_address', { p_email: email }, z.int());
      addLogFields({ kept });
      return json({ kept });
    },
  },
});

export default routeByAction({ erase }, show);

export const config: Config = {
  path: ['/api/admin/personal-data', '/api/admin/personal-data/:action(erase)'],
  method: 'POST',
};
