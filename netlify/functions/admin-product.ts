import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { readDeployedVersion } from '../server/publishing/deployed-version.ts';
import { productId, readEdit } from '../server/catalogue/product-request.ts';
import { announceWithdrawal } from '../server/catalogue/withdrawn.ts';
import { deleteProduct, readProduct, saveProduct } from '../server/catalogue/products.ts';
import { json } from '../server/platform/http.ts';

const idOf = (url: URL): string => productId(/^\/api\/admin\/products\/([^/]+)\/?$/u.exec(url.pathname)?.[1]);

/** GET, PUT and DELETE /api/admin/products/:id. An edit of a product that has moved on meanwhile is refused with 409. */
export default adminEndpoint({
  route: 'admin/product',
  handlers: {
    async GET({ request, url }) {
      return json({ product: await readProduct(idOf(url), readDeployedVersion(request)) });
    },
    async PUT({ request, url, addLogFields }) {
      const id = idOf(url);
      addLogFields({ product: id });
      const { product, expectedRevision } = await readEdit(request);
      return json({ product: await saveProduct(id, product, expectedRevision, readDeployedVersion(request)) });
    },
    async DELETE({ request, url, addLogFields }) {
      const id = idOf(url);
      addLogFields({ product: id, deleted: await deleteProduct(id) });
      await announceWithdrawal(request);
      return json({ deleted: true });
    },
  },
});

export const config: Config = { path: '/api/admin/products/:id' };
