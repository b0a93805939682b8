import { useEffect, useState } from 'react';
import type { PaymentStatus } from '#services/checkout/payment-result.ts';

/** Poll intervals in seconds, about three minutes in all. */
const waits = [1, 2, 3, 4, 5, 5, 10, 10, 15, 15, 20, 30, 30, 30];

/** The polled status: 'asking' while polling, 'unknown' when polling ended without a final status. */
export type PaymentState =
  { kind: 'asking' | 'unknown'; number: string | null } | ({ kind: 'known' } & PaymentStatus);

/** Loaded lazily. A failed load counts like a failed request. */
async function fetchStatus(orderId: string, signal: AbortSignal): Promise<PaymentStatus | null> {
  try {
    const { fetchPaymentStatus } = await import('#services/checkout/payment-result.ts');
    return await fetchPaymentStatus(orderId, signal);
  } catch {
    return null;
  }
}

/**
 * Fetches the payment status of the customer's order: once, or until it is final when the payment is pending.
 * Does nothing for a null id.
 */
export function usePaymentStatus(orderId: string | null, pending: boolean): PaymentState {
  const [state, setState] = useState<PaymentState>({ kind: 'asking', number: null });
  useEffect(() => {
    if (orderId === null) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (round: number) => {
      const status = await fetchStatus(orderId, stop.signal);
      if (stop.signal.aborted) return;
      const wait = pending ? waits[round] : undefined;
      if (status && status.status !== 'PENDING') setState({ kind: 'known', ...status });
      else if (wait === undefined) setState({ kind: 'unknown', number: status?.number ?? null });
      else {
        setState({ kind: 'asking', number: status?.number ?? null });
        timer = setTimeout(() => void ask(round + 1), wait * 1000);
      }
    };
    void ask(0);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [orderId, pending]);
  return state;
}
