/*
 * Answers a navigation that fails with a page of the shop. It caches nothing, so no price is ever old, and ignores all
 * other requests.
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
    return new Response(page, {
      status: 503,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
  }
}
