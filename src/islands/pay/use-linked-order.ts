import { useEffect, useState } from 'react';
import type { LinkedOrder, PaymentLink } from '../../domain/checkout/payment-link.ts';
import { fetchLinkedOrder } from '../../services/checkout/payment-link.ts';

/** Between questions while a payment is being confirmed. */
const waitMs = 4_000;
const mostQuestions = 45;

interface Linked {
  /** undefined while it is asked for, null when the link opens none. */
  order: LinkedOrder | null | undefined;
  failed: boolean;
  reload: () => void;
}

/** The order of a link; while its payment is being confirmed it is asked for again and again, for three minutes. */
export function useLinkedOrder({ orderId, token }: PaymentLink, came: string | null): Linked {
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
        if (came === 'pending' && order?.state === 'open' && question < mostQuestions)
          timer = setTimeout(() => void ask(question + 1), waitMs);
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
  }, [orderId, token, came, round]);
  return {
    ...state,
    reload: () => {
      setState(({ order }) => ({ order, failed: false }));
      setRound((before) => before + 1);
    },
  };
}
