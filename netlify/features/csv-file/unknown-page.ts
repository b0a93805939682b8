import { ignoreQuery } from '#core/platform/http/cdn-cache.ts';
import { htmlPage, plainPage } from '#core/platform/http/page.ts';
import { fetchStaticPage } from '#core/platform/http/static-page.ts';

/** 404 with the pre-rendered page for an address that nothing has. */
export async function unknownPage(request: Request): Promise<Response> {
  const built = await fetchStaticPage(request, '/404', [404]);
  // Cached for ten minutes: an import may bring the address.
  if (built !== null)
    return htmlPage(404, built, {
      'netlify-cdn-cache-control': 'public, s-maxage=600',
      ...ignoreQuery,
    });
  return plainPage(404, 'Page not found', 'There is nothing at this address.', {
    path: '/shop',
    text: 'Back to Shop',
  });
}
