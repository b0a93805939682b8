import { useEffect, useState } from 'react';
import { readAttempt } from '../../services/storage/checkout-attempt.ts';
import { endCheckout } from '../../stores/checkout.ts';
import { useIsClient } from '../shared/use-is-client.ts';
import { Bought } from './Bought.tsx';
import { readOrderQuery, type OrderQuery } from './order-query.ts';
import { PendingNote } from './PendingNote.tsx';
import { usePaymentStatus } from './use-payment-status.ts';
import { withFaultNotice } from '../shared/FaultNotice.tsx';

/** The part of the confirmation page that depends on the URL: order, payment and payment status. */
function OrderStatus() {
  return useIsClient() ? <Status search={window.location.search} /> : null;
}

/** In-app browsers come here directly from the provider, so the cart is emptied here. */
function endAttempt({ orderId }: OrderQuery): void {
  if (orderId !== null && readAttempt()?.orderId === orderId) endCheckout('paid');
}

function Status({ search }: { search: string }) {
  const [query] = useState(() => readOrderQuery(search));
  const state = usePaymentStatus(query.orderId, query.pending && query.refusal === null);
  useEffect(() => {
    endAttempt(query);
    window.scrollTo(0, 0);
  }, [query]);

  const { orderId, paymentId, pending, refusal } = query;
  const note = pending ? <PendingNote state={state} refusal={refusal} /> : null;
  if (orderId === null && paymentId === null) return note;
  const number = 'number' in state ? state.number : null;
  const rows = [
    ['Order number', number === null ? null : `#${number}`],
    ['Order ID', orderId],
    ['Payment ID', paymentId],
  ] as const;
  return (
    <div className="mt-8 grid gap-6">
      {note}
      <Bought orderId={orderId} number={number} />
      <dl className="grid gap-1 text-left text-sm">
        {rows.map(([label, value]) =>
          value === null ? null : (
            <div key={label} className="flex flex-wrap justify-between gap-x-6">
              <dt className="text-ink-500">{label}</dt>
              <dd className="break-all">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}

export default withFaultNotice(OrderStatus);
