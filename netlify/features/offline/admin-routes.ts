import { respond } from '#core/auth/admin-routes.ts';
import { readWaiting } from '#core/orders/waiting-orders.ts';
import { offlineCopyPage } from './offline-copy-page.ts';
import { readStock } from './read-stock.ts';

/** How many orders of a stage are sent: as many as one courier's file takes. */
const maxOrders = 100;

/**
 * How long a session lasts without use, in ms, as SQL `read_admin_session` has it: 24 hours, less the five minutes within which it notes no
 * further use.
 */
const unusedMs = (24 * 60 - 5) * 60_000;

export const routes = [
  // What the owner reads on this device without a connection, until the session has ended.
  respond({ method: 'GET', path: '/api/admin/offline' }, async ({ session: { expiresAt } }) => {
    const [toPack, packed, stock] = await Promise.all([
      readWaiting('to_pack', maxOrders),
      readWaiting('packed', maxOrders),
      readStock(),
    ]);
    const end = new Date(Math.min(Date.parse(expiresAt), Date.now() + unusedMs));
    return offlineCopyPage({ toPack, packed, stock }, new Date(), end);
  }),
];
