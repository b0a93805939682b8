import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { readDeployedVersion } from '../server/publishing/deployed-version.ts';
import { readNewProduct, readProductQuery } from '../server/catalogue/product-request.ts';
import { insertProduct, listProducts } from '../server/catalogue/products.ts';
import { json } from '../server/platform/http.ts';

/** GET /api/admin/products: a page of the catalogue. POST: a new product under the page's own id; twice is once. */
export default adminEndpoint({
  route: 'admin/products',
  handlers: {
    async GET({ request, url }) {
      return json(await listProducts(readProductQuery(url), readDeployedVersion(request)));
    },
    async POST({ request, addLogFields }) {
      const { id, product } = await readNewProduct(request);
      const answer = await insertProduct(id, product, readDeployedVersion(request));
      addLogFields({ product: id, created: answer.created });
      return json({ product: answer.product }, answer.created ? 201 : 200);
    },
  },
});

export const config: Config = { path: '/api/admin/products' };
