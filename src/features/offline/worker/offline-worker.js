/*
 * Answers a navigation that fails with a page of the shop, that of the owner's page with the copy which that page has stored. It caches
 * nothing itself, so no price is ever old, and ignores all other requests.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** The build puts the page here. */
const page = '__OFFLINE_PAGE__';

worker.addEventListener('install', () => worker.skipWaiting());
// With preload the browser requests the page while the worker starts, so the worker costs no time.
worker.addEventListener('activate', (event) => {
  // Old browsers have none.
  const { navigationPreload } = /** @type {Partial<ServiceWorkerRegistration>} */ (
    worker.registration
  );
  event.waitUntil(navigationPreload?.enable() ?? Promise.resolve());
});
worker.addEventListener('fetch', (event) => {
  const { mode, method } = event.request;
  if (mode === 'navigate' && method === 'GET') event.respondWith(open(event));
});

/** @param {FetchEvent} event */
async function open(event) {
  try {
    const preloaded = /** @type {Response | undefined} */ (await event.preloadResponse);
    return preloaded ?? (await fetch(event.request));
  } catch {
    const copy = new URL(event.request.url).pathname === '/admin' ? await adminCopy() : null;
    if (copy) return copy;
    return new Response(page, {
      status: 503,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
  }
}

/** The cache of `admin-copy.ts`. */
const copies = 'admin-copy';

/** The owner's copy, which loads again when the session ends; null when there is none. An expired one is deleted. */
async function adminCopy() {
  const copy = await caches.match('/admin', { cacheName: copies });
  const leftMs = Date.parse(copy?.headers.get('expires') ?? '') - Date.now();
  if (copy && leftMs > 0) {
    const headers = new Headers(copy.headers);
    headers.set('refresh', `${String(Math.ceil(leftMs / 1000))};url=/admin`);
    return new Response(copy.body, { headers });
  }
  await caches.delete(copies);
  return null;
}
