import { offlinePage } from './offline-page.ts';
import worker from './worker/offline-worker.js?raw';

/** The worker that answers without a connection, with the page that it shows. The admin's worker, once there is one, has it in itself. */
export const offlineWorker = worker.replace("'__OFFLINE_PAGE__'", () =>
  JSON.stringify(offlinePage),
);
