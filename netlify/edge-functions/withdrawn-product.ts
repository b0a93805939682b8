/*
 * Stops built pages that show something withdrawn, until the next build removes it. A product that was hidden or deleted answers 404. A
 * product with a review that was hidden or erased gets the page that a function fills, which has no reviews. Google's feed of reviews
 * answers 503, and Google asks again. The function reads one short list, which the CDN caches (netlify/functions/product.ts), and lets
 * every other request pass. Without an answer it serves the built page; the page of a withdrawn product then shows 'Product not found'
 * once it has fetched the current product.
 *
 * The two pages that the shop's own functions fill or send, /product/template and /product/not-found, are 404 for everybody
 * who does not name that purpose (netlify/core/platform/http/static-page.ts).
 */

/** The CDN caches the response: a hit takes milliseconds, and the first request after a deploy waits for a function. */
const timeoutMs = 1_000;
const staticPageHeader = 'x-static-page';
const staticPages = ['/product/template', '/product/not-found'];
const productPath = /^\/product\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/iu;
const reviewFeed = '/feeds/google-reviews.xml';

type List = 'ids' | 'reviewed';

async function readWithdrawn(site: string): Promise<Record<List, string[]>> {
  const withdrawn: Record<List, string[]> = { ids: [], reviewed: [] };
  try {
    const answer = await fetch(new URL('/api/catalogue/withdrawn', site), {
      signal: AbortSignal.timeout(timeoutMs),
    });
    const lists = Object(await answer.json()) as Partial<Record<List, unknown>>;
    for (const list of ['ids', 'reviewed'] as const) {
      const ids = lists[list];
      if (Array.isArray(ids)) withdrawn[list] = ids.map(String);
    }
  } catch {
    // The built page is served.
  }
  return withdrawn;
}

/** Answers with another page of this site, which no cache keeps under this address. */
async function answerWith(
  request: Request,
  path: string,
  status: number,
  headers: Record<string, string> = {},
): Promise<Response> {
  const page = await fetch(new URL(path, request.url), { headers });
  const answered = new Headers(page.headers);
  // The body has been unpacked on its way here, and the page is another one than these speak of.
  for (const name of ['content-encoding', 'content-length', 'etag', 'age', 'last-modified'])
    answered.delete(name);
  answered.delete('netlify-cdn-cache-control');
  answered.set('cache-control', 'no-store');
  return new Response(request.method === 'HEAD' ? null : page.body, {
    status: page.ok ? status : page.status,
    headers: answered,
  });
}

const notFound = (request: Request): Promise<Response> =>
  answerWith(request, '/product/not-found', 404, { [staticPageHeader]: '1' });

/** Returns the answer in place of a built page that shows what was withdrawn; `undefined` lets the request go on to that page. */
export default async function withdrawnProduct(request: Request): Promise<Response | undefined> {
  const path = new URL(request.url).pathname.replace(/\/$/u, '');
  if (staticPages.includes(path))
    return request.headers.has(staticPageHeader) ? undefined : notFound(request);
  const id = productPath.exec(path)?.[1]?.toLowerCase();
  if (id === undefined && path !== reviewFeed) return undefined;
  const { ids, reviewed } = await readWithdrawn(request.url);
  if (id === undefined)
    return reviewed.length === 0
      ? undefined
      : new Response('The feed is being built anew.', {
          status: 503,
          headers: { 'cache-control': 'no-store', 'retry-after': '3600' },
        });
  if (ids.includes(id)) return notFound(request);
  return reviewed.includes(id)
    ? answerWith(request, `/api/catalogue/product/${id}`, 200)
    : undefined;
}

export const config = {
  path: ['/product/:id', reviewFeed],
  method: ['GET', 'HEAD'],
  onError: 'bypass',
};
