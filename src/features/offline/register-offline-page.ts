/** Registers the service worker that shows a page of the shop when there is no connection. */
export async function registerOfflinePage(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/offline-worker.js');
  } catch (error) {
    // Some private windows refuse. Without it the browser shows its own page.
    console.warn('The offline page could not be registered', error);
  }
}
