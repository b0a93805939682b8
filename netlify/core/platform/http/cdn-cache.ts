import { purgeCache } from '@netlify/functions';
import { causeOf } from '#core/platform/cause-of.ts';
import { purgeEnv } from '#core/platform/env.ts';
import { json } from './http.ts';
import { logLine } from '#core/platform/log.ts';
import { staticOrigin } from './static-page.ts';

/** The cached response ignores the query; otherwise every made-up query would reach the database. */
export const ignoreQuery = { 'netlify-vary': 'query=none' } as const;

/**
 * A JSON response that the CDN caches under a tag: it revalidates in the background, and drops it with `refreshCached` and
 * with each deploy. A browser asks again after `browserSeconds`.
 */
export function cachedJson(body: unknown, tag: string, browserSeconds = 0): Response {
  const response = json(body);
  response.headers.set(
    'cache-control',
    `public, max-age=${String(browserSeconds)}, must-revalidate`,
  );
  response.headers.set(
    'netlify-cdn-cache-control',
    'public, durable, s-maxage=30, stale-while-revalidate=604800',
  );
  response.headers.set('netlify-cache-tag', tag);
  response.headers.set('netlify-vary', ignoreQuery['netlify-vary']);
  return response;
}

/**
 * Purges a tag from the CDN and refetches `path`, so that the next visitor does not wait for it. Where
 * there is no CDN, or the purge fails, the cached response is stale for half a minute.
 */
export async function refreshCached(request: Request, tag: string, path: string): Promise<void> {
  const { CDN_API_URL: apiURL } = purgeEnv();
  try {
    await purgeCache({ tags: [tag], ...(apiURL === undefined ? {} : { apiURL }) });
    const answer = await fetch(new URL(path, staticOrigin(request)), {
      signal: AbortSignal.timeout(5_000),
    });
    await answer.body?.cancel();
  } catch (error) {
    logLine({ task: 'purge', error: causeOf(error) });
  }
}
