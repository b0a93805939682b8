import type { APIRoute } from 'astro';
import { offlineWorker } from '#features/offline/offline-worker.ts';

/** A message is a PushMessage of `domain/push.ts`. */
const worker = `self.addEventListener('install', () => self.skipWaiting());
// A page that is open already can then be led to the order.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** What came, or a sentence that is always true: a push without a notification costs the permission. */
function messageOf(data) {
  const usual = { title: 'News from your shop', body: 'Open the admin page to see it.', url: '/admin', tag: 'news' };
  try {
    return { ...usual, ...data.json() };
  } catch {
    return usual;
  }
}

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = messageOf(event.data);
  const icon = '/icon-512.png';
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, lang: 'en-IN', data: { url } }));
});

/** A page of the admin, whatever a message says. */
function adminPage(url) {
  const page = new URL(url, self.location.origin);
  return page.origin === self.location.origin && page.pathname === '/admin' ? page.href : new URL('/admin', self.location.origin).href;
}

async function openPage(url) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find((page) => new URL(page.url).pathname === '/admin');
  if (open) {
    try {
      const shown = await open.focus();
      await shown.navigate(url);
      return;
    } catch {
      // A page that this worker does not control, or one that is closing: a new one will do.
    }
  }
  await self.clients.openWindow(url);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(adminPage(event.notification.data?.url ?? '/admin')));
});
`;

/**
 * GET /admin-worker.js: the service worker of the admin page, for /admin alone. It shows the shop's notifications and opens the page
 * that a tap is for. Its scope takes /admin away from the worker of the whole shop, so it has that one's answers without a connection in it.
 */
export const GET: APIRoute = () =>
  new Response(worker + offlineWorker, {
    headers: { 'content-type': 'text/javascript; charset=utf-8' },
  });
