import type { Config, Context } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { listFeatured, saveFeatured } from '../server/catalogue/featured.ts';
import { storeImage } from '../server/catalogue/image-files.ts';
import { reencodeImage } from '../server/catalogue/reencode-image.ts';
import {
  productId,
  readEdit,
  readNewProduct,
  readProductQuery,
} from '../server/catalogue/product-request.ts';
import {
  deleteProduct,
  insertProduct,
  listProducts,
  readProduct,
  restoreProduct,
  saveProduct,
} from '../server/catalogue/products.ts';
import { announceWithdrawal } from '../server/catalogue/withdrawn.ts';
import { routeByAction } from '../server/platform/http/route-by-action.ts';
import { HttpError } from '../server/platform/http/http-error.ts';
import { json } from '../server/platform/http/http.ts';
import { readBytes } from '../server/platform/http/request-body.ts';
import { readDeployedVersion } from '../server/publishing/deployed-version.ts';

/** GET /api/admin/products: a page of the catalogue. POST: a new product under the page's own id; twice is once. */
const products = adminEndpoint({
  route: 'admin/products',
  handlers: {
    async GET({ request, url }) {
      return json(await listProducts(readProductQuery(url), readDeployedVersion(request)));
    },
    async POST({ request, addLogFields }) {
      const { id, product: added } = await readNewProduct(request);
      const answer = await insertProduct(id, added, readDeployedVersion(request));
      addLogFields({ product: id, created: answer.created });
      return json({ product: answer.product }, answer.created ? 201 : 200);
    },
  },
});

/** Throws 404 when the URL names no product. */
const idOf = ({ params }: Context): string => productId(params['id']);

/** GET, PUT and DELETE /api/admin/products/:id. An edit of a product that has moved on meanwhile is refused with 409. */
const product = adminEndpoint({
  route: 'admin/product',
  handlers: {
    async GET({ request, context }) {
      return json({ product: await readProduct(idOf(context), readDeployedVersion(request)) });
    },
    async PUT({ request, context, addLogFields }) {
      const id = idOf(context);
      addLogFields({ product: id });
      const { product: edited, expectedRevision } = await readEdit(request);
      const saved = await saveProduct(id, edited, expectedRevision, readDeployedVersion(request));
      if (saved.visibilityChanged) await announceWithdrawal(request);
      return json({ product: saved.product });
    },
    async DELETE({ request, context, addLogFields }) {
      const id = idOf(context);
      addLogFields({ product: id, deleted: await deleteProduct(id) });
      await announceWithdrawal(request);
      return json({ deleted: true });
    },
  },
});

/** POST /api/admin/products/:id/restore: brings a deleted product back. */
const restore = adminEndpoint({
  route: 'admin/product/restore',
  handlers: {
    async POST({ request, context, addLogFields }) {
      const id = idOf(context);
      addLogFields({ product: id });
      const restored = await restoreProduct(id, readDeployedVersion(request));
      await announceWithdrawal(request);
      return json({ product: restored });
    },
  },
});

/** GET and PUT /api/admin/featured: which products the front page shows, and in which order. */
const featured = adminEndpoint({
  route: 'admin/featured',
  handlers: {
    GET: async () => json({ featured: await listFeatured() }),
    async PUT({ request, addLogFields }) {
      const chosen = await saveFeatured(request);
      addLogFields({ chosen: chosen.length });
      return json({ featured: chosen });
    },
  },
});

const maxImageBytes = 8 * 1024 * 1024;

/** POST /api/admin/images: the bytes of an image → `{path, width, height}` of what is stored, always WebP. */
const images = adminEndpoint({
  route: 'admin/images',
  takes: 'images',
  handlers: {
    async POST({ request, addLogFields }) {
      const bytes = await readBytes(request, maxImageBytes).catch((error: unknown) => {
        if (!(error instanceof HttpError) || error.status !== 413) throw error;
        throw new HttpError(
          413,
          'too_large',
          'This picture is too large: 8 MB at most. Please make it smaller and try again.',
        );
      });
      const image = await reencodeImage(bytes);
      const path = await storeImage(image);
      addLogFields({ path, bytes: bytes.byteLength, stored: image.content.byteLength });
      return json({ path, width: image.width, height: image.height }, 201);
    },
  },
});

export default routeByAction({ products, featured, images, restore }, product);

export const config: Config = {
  path: [
    '/api/admin/:action(products|featured|images)',
    '/api/admin/products/:id',
    '/api/admin/products/:id/:action(restore)',
  ],
};
