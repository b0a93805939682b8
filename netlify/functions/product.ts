import type { Config } from '@netlify/functions';
import { notFoundPage } from '#core/catalogue/not-found-page.ts';
import { fillTemplate, findProduct } from '#core/catalogue/product-page.ts';
import { listWithdrawn, withdrawnTag } from '#core/catalogue/withdrawn.ts';
import { routeByAction } from '#core/platform/http/route-by-action.ts';
import { ignoreQuery, cachedJson } from '#core/platform/http/cdn-cache.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, failureFields } from '#core/platform/http/http.ts';
import { htmlPage, plainPage } from '#core/platform/http/page.ts';
import { fetchStaticPage, staticOrigin } from '#core/platform/http/static-page.ts';
import { readDeployedVersion } from '#core/publishing/deployed-version.ts';
import { movedTo, productAtOldAddress } from '#netlify/features/csv-file/old-addresses.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

async function productPage(request: Request, id: string): Promise<Response> {
  const product = await findProduct(id);
  if (product === null) return notFoundPage(request);
  const template = await fetchStaticPage(request, '/product/template');
  if (template === null)
    throw new HttpError(503, 'no_template', 'The page cannot be built right now.');
  return htmlPage(200, fillTemplate(template, product, `${staticOrigin(request)}/product/${id}`), {
    'cache-control': 'public, max-age=0, must-revalidate',
    'netlify-cdn-cache-control': 'public, s-maxage=60',
    ...ignoreQuery,
  });
}

/**
 * GET /product/:id — a product that is newer than the last build, at its own address. Pre-rendered pages win
 * (`preferStatic`); this answers for the rest, and at /api/catalogue/product/:id for a built page that shows a review which was hidden or
 * erased since (netlify/edge-functions/withdrawn-product.ts): 200 with the template filled, 301 for the address of an imported product in WooCommerce,
 * 404 'Product not found', 503.
 *
 * ## Contract with the pages (src/pages/product)
 *
 * `/product/template` is one ordinary pre-rendered page (`dist/product/template.html`) with the layout and components
 * of a real product page and with these placeholders where the data belongs:
 *
 * | token                      | replaced by                                                                  |
 * |----------------------------|------------------------------------------------------------------------------|
 * | `__PRODUCT_ID__`           | the uuid                                                                     |
 * | `__PRODUCT_NAME__`         | name; `__PRODUCT_NAME_ENCODED__` for the query of an address                 |
 * | `__PRODUCT_DESCRIPTION__`  | description                                                                  |
 * | `__PRODUCT_MATERIAL__`     | metal, plating, stone and weight in one line; empty text without any         |
 * | `__PRODUCT_CATEGORY__`     | 'rings' (for links); `__PRODUCT_CATEGORY_LABEL__` is 'Rings'                 |
 * | `__PRODUCT_PRICE__`        | what one unit costs now: '₹1,234'; `__PRODUCT_PRICE_DECIMALS__` is its '.00' |
 * | `__PRODUCT_FULL_PRICE__`   | the price before the offer, formatted; empty text when there is no offer     |
 * | `__PRODUCT_FEE__`          | the platform fee on one unit, formatted                                      |
 * | `__PRODUCT_STOCK__`        | integer                                                                      |
 * | `__PRODUCT_STOCK_LEVEL__`  | 'out', 'low' or 'in' (for a data attribute that CSS or an element reads)     |
 * | `__PRODUCT_SIZE_TEXT__`    | what the shop says about the size in one sentence; empty text without any   |
 * | `__PRODUCT_SIZE_1__`       | its first size, and so on up to 100; empty text where there is none           |
 * | `__PRODUCT_SIZE_1_STOCK__` | integer, how many there are of it; empty text where there is none            |
 * | `__PRODUCT_IMAGE__`        | address of the first image, absolute or '/placeholder.svg'                 |
 * | `__PRODUCT_IMAGE_COUNT__`  | number of images, to reserve space for thumbnails                          |
 * | `__PRODUCT_IMAGE_LARGE__`  | the same through the image CDN, 840 wide, webp                               |
 * | `__PRODUCT_IMAGE_ALT__`    | its text, the name when there is none                                        |
 * | `__PRODUCT_JSON__`         | the whole `Product` of src/domain/catalogue/product.ts as JSON, for `data-product="…"` |
 * | `__PRODUCT_URL__`          | canonical address of the page; `__PRODUCT_URL_ENCODED__` for a query         |
 *
 * Every token may stand in text and inside a double-quoted attribute value, any number of times; it is replaced
 * by HTML-escaped text. Tokens must not stand in <script> or <style> (the CSP hashes of the page stay valid
 * because scripts are the same for every product; no JSON-LD in the template). The elements on the page bring
 * further images, the low-stock line and the live price from `data-product`, as they do on a real page.
 * The template must not carry `<meta name="robots" content="noindex">`, it would hide the served product too: set
 * `X-Robots-Tag: noindex` for /product/template and /product/not-found in netlify.toml instead.
 *
 * `/product/not-found` is the pre-rendered 'Product not found' page; it is sent with status 404.
 */
const page = endpoint({
  route: 'product',
  method: ['GET', 'HEAD'],
  async handler({ request, context, addLogFields }) {
    const id = (context.params['id'] ?? '').toLowerCase();
    try {
      if (!uuid.test(id)) {
        const moved = await productAtOldAddress(new URL(request.url).pathname);
        return moved === null ? await notFoundPage(request) : movedTo(moved);
      }
      return await productPage(request, id);
    } catch (error) {
      addLogFields({ product: id, ...failureFields(error) });
      const sentence = 'This page cannot be shown right now. Please try again in a moment.';
      return plainPage(503, 'Just a moment', sentence, { path: '/shop', text: 'Back to Shop' });
    }
  },
});

/**
 * GET /api/catalogue/withdrawn: `{ids, reviewed}`, products whose built page still stands although they are gone, and those with a
 * review that is gone. The CDN caches the response until something is withdrawn.
 */
const withdrawn = endpoint({
  route: 'catalogue/withdrawn',
  method: 'GET',
  handler: async ({ request }) =>
    cachedJson(await listWithdrawn(await readDeployedVersion(request)), withdrawnTag),
});

export default routeByAction({ withdrawn }, page);

export const config: Config = {
  path: ['/product/:id', '/api/catalogue/:action(withdrawn)', '/api/catalogue/product/:id'],
  preferStatic: true,
};
