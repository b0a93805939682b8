import { personalDataApi } from '#domain/admin/personal-data.ts';
import { respond } from '#core/auth/admin-routes.ts';
import { personalDataFile, personalDataPage } from './personal-data-page.ts';
import { readDataOfAddress } from './personal-data.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { readJson } from '#core/platform/http/request-body.ts';

export const routes = [
  // `{email}` → everything that the shop stores about the person with this address, to hand on to whoever wrote from it, as a page
  // or with `?as=file`. It is a POST, so that no address is logged. The answer is 404 when nothing is stored.
  respond({ method: 'POST', path: '/api/admin/personal-data' }, async ({ request, url }) => {
    const { email } = await readJson(request, personalDataApi.erase.body);
    const data = await readDataOfAddress(email);
    if (data === null)
      throw new HttpError(404, 'not_found', 'The shop has no data about this address.');
    return url.searchParams.get('as') === 'file' ? personalDataFile(data) : personalDataPage(data);
  }),
];
