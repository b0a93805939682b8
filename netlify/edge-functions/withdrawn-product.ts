/*
 * The page of a product that was taken out of the catalogue answers 404 at once, though its built page stands until the
 * next build. Pre-rendered pages stay what the CDN serves: this looks at one short list, kept by the CDN as well
 * (netlify/functions/catalogue-withdrawn.ts), and lets everything else pass. In doubt, the built page is served; it
 * says 'Product not found' by itself as soon as it has asked for the live product.
 */

/** Kept by the CDN it takes milliseconds; who comes first after a deploy waits for a function. */
const timeoutMs = 1_000;
const productPath = /^\/product\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/?$/iu;

async function isWithdrawn(id: string, site: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/api/catalogue/withdrawn', site), { signal: AbortSignal.timeout(timeoutMs) });
    const { ids } = Object(await answer.json()) as { ids?: unknown };
    return Array.isArray(ids) && ids.includes(id.toLowerCase());
  } catch {
    return false;
  }
}

/** Returns the 404 of a withdrawn product; `undefined` lets the request go on to the built page. */
export default async function withdrawnProduct(request: Request): Promise<Response | undefined> {
  const id = productPath.exec(new URL(request.url).pathname)?.[1];
  if (id === undefined || !(await isWithdrawn(id, request.url))) return undefined;
  const page = await fetch(new URL('/product/not-found', request.url));
  const headers = new Headers(page.headers);
  // The body has been unpacked on its way here, and the page is another one than these speak of.
  for (const name of ['content-encoding', 'content-length', 'etag', 'age', 'last-modified']) headers.delete(name);
  headers.set('cache-control', 'no-store');
  return new Response(request.method === 'HEAD' ? null : page.body, { status: 404, headers });
}

export const config = {
  path: '/product/:id',
  excludedPath: ['/product/not-found', '/product/template'],
  method: ['GET', 'HEAD'],
  onError: 'bypass',
};
