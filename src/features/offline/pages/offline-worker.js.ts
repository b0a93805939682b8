import type { APIRoute } from 'astro';
import { offlinePage } from '../offline-page.ts';
import worker from '../worker/offline-worker.js?raw';

/** GET /offline-worker.js: the service worker that the cart page registers for the whole shop, with the page that it shows. */
export const GET: APIRoute = () =>
  new Response(
    worker.replace("'__OFFLINE_PAGE__'", () => JSON.stringify(offlinePage)),
    { headers: { 'content-type': 'text/javascript; charset=utf-8' } },
  );
