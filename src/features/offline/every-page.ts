import { onFirstInteraction } from '#elements/site/first-interaction.ts';

// Registers the worker that answers without a connection. It waits, because a first visit has better to load. Some private windows
// refuse it, and old browsers have none; then the browser shows its own page.
onFirstInteraction(() => {
  const { serviceWorker } = navigator as Partial<Navigator>;
  serviceWorker?.register('/offline-worker.js').catch(() => undefined);
});
