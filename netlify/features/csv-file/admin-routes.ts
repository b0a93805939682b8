import { catalogueRows } from '#features/csv-file/domain/catalogue-csv.ts';
import { csvFileApi } from '#features/csv-file/domain/csv-file-api.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { respond } from '#core/auth/admin-routes.ts';
import { csvAnswer } from '#core/platform/http/csv-answer.ts';
import { json } from '#core/platform/http/http.ts';
import { readDeployedVersion } from '#core/publishing/deployed-version.ts';
import { exportPart, readCompared } from './catalogue-file.ts';
import { storeOldAddresses } from './old-addresses.ts';

export const routes = [
  // The catalogue as CSV, a thousand products a part; `part` is 1 for the first.
  respond({ method: 'GET', path: '/api/admin/catalogue/export' }, async ({ request, url }) => {
    const part = url.searchParams.get('part');
    const products = await exportPart(part, readDeployedVersion(request));
    const suffix = part === null || part === '1' ? '' : `-part-${part}`;
    return csvAnswer(
      `catalogue-${isoDateInIndia(new Date().toISOString())}${suffix}.csv`,
      catalogueRows(products),
    );
  }),
  respond(csvFileApi.compare, async ({ request }) =>
    json({ products: await readCompared(request, readDeployedVersion(request)) }),
  ),
  respond(csvFileApi.storeOldAddresses, async ({ request }) => {
    await storeOldAddresses(request);
    return json({});
  }),
];
