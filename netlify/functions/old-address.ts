import type { Config } from '@netlify/functions';
import { categories, categoryLabel } from '../../src/domain/catalogue/category.ts';
import { endpoint } from '../core/platform/http/http.ts';
import { notFoundPage } from '../core/catalogue/not-found-page.ts';
import { movedTo, productAtOldAddress } from '../features/csv-file/old-addresses.ts';

/** The listing that a collection of another shop meant: '/shop/rings' for 'rings' or 'ring', else the whole shop. */
function listingOf(collection: string): string {
  const named = categories.find((slug) =>
    [slug, categoryLabel(slug).toLowerCase().replaceAll(' ', '-')].some(
      (name) => name.replace(/s$/u, '') === collection.toLowerCase().replace(/s$/u, ''),
    ),
  );
  return named === undefined ? '/shop' : `/shop/${named}`;
}

/**
 * GET /products/:handle, /collections/…: addresses of Shopify; /product-category/…: of WooCommerce, whose products are answered by
 * product.ts. 301 to the imported product or to the listing, 404 for a product that was not imported.
 */
export default endpoint({
  route: 'old-address',
  method: ['GET', 'HEAD'],
  async handler({ request }) {
    const { pathname } = new URL(request.url);
    const [, product] = /\/products\/([^/]+)\/?$/u.exec(pathname) ?? [];
    if (product === undefined)
      return movedTo(listingOf(pathname.replace(/\/$/u, '').split('/').at(-1) ?? ''));
    const path = await productAtOldAddress(`/products/${product}`);
    return path === null ? notFoundPage(request) : movedTo(path);
  },
});

export const config: Config = {
  path: ['/products/*', '/collections', '/collections/*', '/product-category/*'],
  preferStatic: true,
};
