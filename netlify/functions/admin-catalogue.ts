import type { Config } from '@netlify/functions';
import { catalogueRows } from '../../src/domain/admin/products/catalogue-csv.ts';
import { isoDateInIndia } from '../../src/domain/india-month.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import {
  deleteProducts,
  exportPart,
  readCompared,
  restoreProducts,
  saveProducts,
} from '../server/catalogue/several-products.ts';
import { announceWithdrawal } from '../server/catalogue/withdrawn.ts';
import { routeByAction } from '../server/platform/http/route-by-action.ts';
import { csvAnswer } from '../server/platform/http/csv-answer.ts';
import { json } from '../server/platform/http/http.ts';
import { readDeployedVersion } from '../server/publishing/deployed-version.ts';

/** GET /api/admin/catalogue/export?part=1: the catalogue as CSV, a thousand products a part. */
const exported = adminEndpoint({
  route: 'admin/catalogue/export',
  handlers: {
    async GET({ request, url }) {
      const part = url.searchParams.get('part');
      const products = await exportPart(part, readDeployedVersion(request));
      const suffix = part === null || part === '1' ? '' : `-part-${part}`;
      return csvAnswer(
        `catalogue-${isoDateInIndia(new Date().toISOString())}${suffix}.csv`,
        catalogueRows(products),
      );
    },
  },
});

/** POST /api/admin/catalogue/compare: what is stored under the ids and names of a file. Changes nothing. */
const compare = adminEndpoint({
  route: 'admin/catalogue/compare',
  handlers: {
    POST: async ({ request }) =>
      json({ products: await readCompared(request, readDeployedVersion(request)) }),
  },
});

/** POST /api/admin/catalogue/save: several products, all or none. One that has moved on meanwhile refuses all with 409. */
const save = adminEndpoint({
  route: 'admin/catalogue/save',
  handlers: {
    async POST({ request, addLogFields }) {
      const { saved, visibilityChanged } = await saveProducts(request);
      addLogFields({ saved });
      if (visibilityChanged) await announceWithdrawal(request);
      return json({ saved });
    },
  },
});

/** POST /api/admin/catalogue/delete and /restore: several products; `{ids}` of those that were there. */
const forIds = (action: 'delete' | 'restore', change: (request: Request) => Promise<string[]>) =>
  adminEndpoint({
    route: `admin/catalogue/${action}`,
    handlers: {
      async POST({ request, addLogFields }) {
        const ids = await change(request);
        addLogFields({ products: ids.length });
        await announceWithdrawal(request);
        return json({ ids });
      },
    },
  });

export default routeByAction(
  {
    compare,
    save,
    delete: forIds('delete', deleteProducts),
    restore: forIds('restore', restoreProducts),
  },
  exported,
);

export const config: Config = {
  path: '/api/admin/catalogue/:action(export|compare|save|delete|restore)',
};
