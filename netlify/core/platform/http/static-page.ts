import { siteEnv } from '#core/platform/env.ts';

/** The origin of the same deploy's static pages; a preview has its own. */
export function staticOrigin(request: Request): string {
  const { origin, hostname } = new URL(request.url);
  return hostname.endsWith('.netlify.app') ? origin : new URL(siteEnv().URL).origin;
}

/** Marks a request of the shop itself: without it, some pages are 404 (netlify/edge-functions/withdrawn-product.ts). */
const headers = { 'x-static-page': '1' };

/**
 * Fetches a pre-rendered page; null when it does not load within 5 seconds. A page that is built for a status, as `/404`, may be sent with
 * it.
 */
export async function fetchStaticPage(
  request: Request,
  path: string,
  otherStatuses: readonly number[] = [],
): Promise<string | null> {
  try {
    const answer = await fetch(new URL(path, staticOrigin(request)), {
      headers,
      signal: AbortSignal.timeout(5_000),
    });
    return answer.ok || otherStatuses.includes(answer.status) ? await answer.text() : null;
  } catch {
    return null;
  }
}
