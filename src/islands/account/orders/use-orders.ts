import { useCallback, useEffect, useState } from 'react';
import type { OwnOrder } from '#domain/orders/own-order.ts';
import type { User } from '#domain/account/session.ts';
import { showToast } from '#stores/toasts.ts';
import { reasonOf } from '#services/connection.ts';

/**
 * The customer's orders, newest first; null while loading. Fetches when `wanted` becomes true and there
 * are none yet (spec section 2), and again on `reload`. A failure shows a toast; the list stays.
 */
export function useOrders(
  user: User,
  wanted: boolean,
): { orders: readonly OwnOrder[] | null; reload: () => void } {
  const [orders, setOrders] = useState<readonly OwnOrder[] | null>(null);
  // Incremented to refetch; the shown list stays until the response.
  const [round, setRound] = useState(0);
  const missing = orders === null || orders.length === 0;
  const reload = useCallback(() => {
    setRound((last) => last + 1);
  }, []);
  useEffect(() => {
    if (!wanted || (!missing && round === 0)) return;
    let current = true;
    import('#services/orders/orders.ts')
      .then(({ fetchOwnOrders }) => fetchOwnOrders(user))
      .catch((error: unknown) => {
        console.warn('Error fetching orders', error);
        if (current)
          showToast('Error fetching orders', {
            description: reasonOf(error),
            tone: 'destructive',
            durationMs: 6_000,
          });
        return null;
      })
      .then((read) => {
        if (current) setOrders((shown) => read ?? shown ?? []);
      })
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [user, wanted, missing, round]);
  return { orders, reload };
}
