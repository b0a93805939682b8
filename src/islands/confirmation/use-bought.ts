import { useEffect, useState } from 'react';
import type { OwnOrder } from '#domain/orders/own-order.ts';

/** The order as on the account page, loaded lazily. Null when it cannot be shown. */
async function fetchBought(orderId: string): Promise<OwnOrder | null> {
  try {
    const { fetchOwnOrder } = await import('#services/orders/orders.ts');
    return await fetchOwnOrder(orderId);
  } catch (error) {
    console.info('The order could not be shown', error);
    return null;
  }
}

/** The customer's order: undefined while it is fetched, null when there is none to show. Fetches nothing while `isKnown` is false. */
export function useBought(orderId: string | null, isKnown: boolean): OwnOrder | null | undefined {
  const [order, setOrder] = useState<OwnOrder | null>();
  useEffect(() => {
    if (orderId === null || !isKnown) return;
    let current = true;
    void fetchBought(orderId).then((found) => {
      if (current) setOrder(found);
    });
    return () => {
      current = false;
    };
  }, [orderId, isKnown]);
  return order;
}
