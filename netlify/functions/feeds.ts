import type { Config } from '@netlify/functions';
import { csvText } from '#domain/csv.ts';
import { builtItems, feedNetworks, stockFeed } from '#features/feeds/domain/product-feed.ts';
import { fetchStaticPage } from '#core/platform/http/static-page.ts';
import { listShownProducts } from '#netlify/features/feeds/shown-products.ts';
import { ignoreQuery } from '#core/platform/http/cdn-cache.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint } from '#core/platform/http/http.ts';

/**
 * GET /feeds/google-stock.csv and /feeds/meta-stock.csv: stock and prices of every item of /feeds/google.xml and
 * /feeds/meta.xml as they are now, where those are as old as the build: what is gone since then is out of stock. The networks fetch it
 * every hour or day; the CDN caches it for a quarter of an hour.
 */
export default endpoint({
  route: 'stock-feed',
  method: ['GET', 'HEAD'],
  async handler({ request, context, addLogFields }) {
    const network = feedNetworks.find((known) => known === context.params['network']);
    if (network === undefined) throw new HttpError(404, 'not_found', 'There is no such feed.');
    const [built, products] = await Promise.all([
      fetchStaticPage(request, `/feeds/${network}.xml`),
      listShownProducts(),
    ]);
    // Without the large feed nobody knows what is gone; what is there is better said than not.
    if (built === null) addLogFields({ built_feed: 'missing' });
    const rows = stockFeed(network, products, builtItems(built ?? ''));
    // The file has no byte order mark, which Excel needs: Meta reads it as a part of the first column's name.
    const text = csvText(rows).replace(/^\u{feff}/u, '');
    return new Response(text, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'cache-control': 'public, max-age=0, must-revalidate',
        'netlify-cdn-cache-control': 'public, durable, s-maxage=900, stale-while-revalidate=3600',
        ...ignoreQuery,
      },
    });
  },
});

export const config: Config = { path: '/feeds/:network(google|meta)-stock.csv' };
