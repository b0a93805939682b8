/*
 * The page of a product that was taken out of the catalogue answers 404 at once, though its built page stands until the
 * next build. Pre-rendered pages stay what the CDN serves: this looks at one short list, cached by the CDN as well
 * (netlify/functions/product.ts), and lets everything else pass. In doubt, the built page is served; it
 * shows 'Product not found' by itself as soon as it has fetched the current product.
 *
 * The two pages that the shop's own functions fill or send, /product/template and /product/not-found, are 404 for everybody
 * who does not name that purpose (netlify/core/platform/http/static-page.ts).
 */

/** The CDN caches the response: a hit takes milliseconds, and the first request after a deploy waits for a function. */
const timeoutMs = 1_000;
const staticPageHeader = 'x-static-page';
const staticPages = ['/product/template', '/product/not-found'];
const productPath = /^\/product\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/iu;

async function isWithdrawn(id: string, site: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/api/catalogue/withdrawn', site), {
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { ids } = Object(await answer.json()) as { ids?: unknown };
    return Array.isArray(ids) && ids.includes(id.toLowerCase());
  } catch {
    return false;
  }
}

async function isGone(request: Request): Promise<boolean> {
  const path = new URL(request.url).pathname.replace(/\/$/u, '');
  if (staticPages.includes(path)) return !request.headers.has(staticPageHeader);
  const id = productPath.exec(path)?.[1];
  return id !== undefined && isWithdrawn(id, request.url);
}

/** Returns the 404 of a withdrawn product; `undefined` lets the request go on to the built page. */
export default async function withdrawnProduct(request: Request): Promise<Response | undefined> {
  if (!(await isGone(request))) return undefined;
  const page = await fetch(new URL('/product/not-found', request.url), {
    headers: { [staticPageHeader]: '1' },
  });
  const headers = new Headers(page.headers);
  // The body has been unpacked on its way here, and the page is another one than these speak of.
  for (const name of ['content-encoding', 'content-length', 'etag', 'age', 'last-modified'])
    headers.delete(name);
  headers.set('cache-control', 'no-store');
  return new Response(request.method === 'HEAD' ? null : page.body, { status: 404, headers });
}

export const config = {
  path: '/product/:id',
  method: ['GET', 'HEAD'],
  onError: 'bypass',
};
