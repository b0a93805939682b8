import type { APIRoute } from 'astro';
import { offlineWorker } from '#features/offline/offline-worker.ts';

/** GET /offline-worker.js: the service worker that every page registers for the whole shop. */
export const GET: APIRoute = () =>
  new Response(offlineWorker, { headers: { 'content-type': 'text/javascript; charset=utf-8' } });
