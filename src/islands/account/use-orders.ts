import { useEffect, useState } from 'react';
import type { OwnOrder } from '../../domain/orders/own-order.ts';
import type { User } from '../../domain/session.ts';
import { showToast } from '../../stores/toasts.ts';

/**
 * The shopper's orders, newest first; null while they are read. They are read when `wanted` becomes true and there
 * are none yet (spec section 2). A failure is told in a toast and leaves the list empty.
 */
export function useOrders(user: User, wanted: boolean): readonly OwnOrder[] | null {
  const [orders, setOrders] = useState<readonly OwnOrder[] | null>(null);
  const missing = orders === null || orders.length === 0;
  useEffect(() => {
    if (!wanted || !missing) return;
    let current = true;
    import('../../services/orders/orders.ts')
      .then(({ fetchOwnOrders }) => fetchOwnOrders(user))
      .catch((error: unknown) => {
        console.warn('Error fetching orders', error);
        const description =
          error instanceof Error && error.message ? error.message : 'Please try again.';
        if (current)
          showToast('Error fetching orders', {
            description,
            tone: 'destructive',
            durationMs: 6_000,
          });
        return [];
      })
      .then((read) => {
        if (current) setOrders(read);
      })
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [user, wanted, missing]);
  return orders;
}
