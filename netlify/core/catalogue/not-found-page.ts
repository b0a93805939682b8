import { ignoreQuery } from '#core/platform/http/cdn-cache.ts';
import { htmlPage, plainPage } from '#core/platform/http/page.ts';
import { fetchStaticPage } from '#core/platform/http/static-page.ts';

/** 404 with the pre-rendered page 'Product not found'. */
export async function notFoundPage(request: Request): Promise<Response> {
  // If this page is not built, its URL leads back here, so it must not be fetched again.
  const isItself = new URL(request.url).pathname === '/product/not-found';
  const built = isItself ? null : await fetchStaticPage(request, '/product/not-found');
  // Cached for half a minute, so that a restored product is found soon.
  if (built !== null)
    return htmlPage(404, built, {
      'netlify-cdn-cache-control': 'public, s-maxage=30',
      ...ignoreQuery,
    });
  return plainPage(404, 'Product not found', 'This piece is not available in the shop.', {
    path: '/shop',
    text: 'Back to Shop',
  });
}
