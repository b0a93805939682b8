import { siteEnv } from './env.ts';

/** Where the same deploy's static pages are: previews live beside the site's own address. */
export function staticOrigin(request: Request): string {
  const { origin, hostname } = new URL(request.url);
  return hostname.endsWith('.netlify.app') ? origin : new URL(siteEnv().URL).origin;
}

/** Says that a page is asked for by the shop itself: without it some are 404 (netlify/edge-functions/withdrawn-product.ts). */
const headers = { 'x-static-page': '1' };

/** The text of a pre-rendered page, or null when it cannot be had within 5 seconds. */
export async function fetchStaticPage(request: Request, path: string): Promise<string | null> {
  try {
    const answer = await fetch(new URL(path, staticOrigin(request)), {
      headers,
      signal: AbortSignal.timeout(5_000),
    });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
