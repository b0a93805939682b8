import { useEffect, useState } from 'react';
import type { OwnClaimLink } from './domain/damage-claim.ts';

/** Fetched once a page for each order, whoever asks. A failed request is sent again when the order is opened again. */
const links = new Map<string, Promise<OwnClaimLink | null>>();

async function fetchLink(orderId: string): Promise<OwnClaimLink | null> {
  try {
    const { fetchClaimLink } = await import('./send-claim.ts');
    return await fetchClaimLink(orderId);
  } catch (error) {
    // The button stays, and says what is wrong when it is pressed.
    console.info('Whether damage was reported is not known', error);
    links.delete(orderId);
    return null;
  }
}

/** The page of the customer's own report of damage, and when there was one. Null until it is known, and where nothing can be reported. */
export function useClaimLink(orderId: string, isPossible: boolean): OwnClaimLink | null {
  const [link, setLink] = useState<OwnClaimLink | null>(null);
  useEffect(() => {
    if (!isPossible) return;
    let current = true;
    const fetched = links.get(orderId) ?? fetchLink(orderId);
    links.set(orderId, fetched);
    void fetched.then((found) => {
      if (current) setLink(found);
    });
    return () => {
      current = false;
    };
  }, [orderId, isPossible]);
  return link;
}
