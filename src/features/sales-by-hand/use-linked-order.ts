import { useEffect, useState } from 'react';
import type { LinkedOrder, PaymentLink } from '#domain/checkout/payment-link.ts';
import { fetchLinkedOrder } from './linked-order.ts';

/** The order is polled for three minutes while a payment is being confirmed. */
const pollMs = 4_000;
const maxPolls = 45;

interface LinkedOrderState {
  /** undefined while it loads, null when the link is not valid. */
  order: LinkedOrder | null | undefined;
  failed: boolean;
  reload: () => void;
}

/** Loads the order of a link, and polls it while its payment is being confirmed. */
export function useLinkedOrder(
  { orderId, token }: PaymentLink,
  pending: boolean,
): LinkedOrderState {
  const [state, setState] = useState<{ order: LinkedOrder | null | undefined; failed: boolean }>({
    order: undefined,
    failed: false,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (question: number) => {
      try {
        const order = await fetchLinkedOrder({ orderId, token }, stop.signal);
        setState({ order, failed: false });
        if (pending && order?.state === 'open' && question < maxPolls)
          timer = setTimeout(() => void ask(question + 1), pollMs);
      } catch (error) {
        if (stop.signal.aborted) return;
        console.warn('The order could not be read', error);
        setState(({ order }) => ({ order, failed: order === undefined }));
      }
    };
    void ask(0);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [orderId, token, pending, round]);
  return {
    ...state,
    reload: () => {
      setState(({ order }) => ({ order, failed: false }));
      setRound((before) => before + 1);
    },
  };
}
