import { useEffect, useMemo, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { orderTitle } from '#domain/orders/order.ts';
import type { OwnOrder } from '#domain/orders/own-order.ts';
import { readAttempt } from '#services/storage/checkout-attempt.ts';
import { endCheckout } from '#stores/checkout.ts';
import { useIsClient } from '#islands/shared/use-is-client.ts';
import { Bought } from './Bought.tsx';
import { readOrderQuery, type OrderQuery } from './order-query.ts';
import { PendingNote } from './PendingNote.tsx';
import { useBought } from './use-bought.ts';
import { usePaymentStatus } from './use-payment-status.ts';
import { withFaultNotice } from '#islands/shared/FaultNotice.tsx';

/** In-app browsers come here directly from the provider, so the cart is emptied here. */
function endAttempt({ orderId }: OrderQuery): void {
  if (orderId !== null && readAttempt()?.orderId === orderId) endCheckout('paid');
}

/**
 * The part of the confirmation page that depends on the URL: the order above the page's own links, which are the children, and
 * the references below them. The links stay unseen until it is known what stands above: nothing moves under a finger.
 */
function OrderStatus({ children }: { children?: ReactNode }) {
  const isClient = useIsClient();
  const query = useMemo(
    () => (isClient ? readOrderQuery(window.location.search) : null),
    [isClient],
  );
  const { orderId = null, paymentId = null, pending = false, refusal = null } = query ?? {};
  const state = usePaymentStatus(orderId, pending && refusal === null);
  const number = state.number ?? null;
  const order = useBought(orderId, number !== null);
  useEffect(() => {
    if (query === null) return;
    endAttempt(query);
    window.scrollTo(0, 0);
  }, [query]);

  const isAsking =
    orderId !== null && (state.kind === 'asking' || (number !== null && order === undefined));
  const isSettled = query !== null && (pending || !isAsking);
  const bought = order ? <Bought order={order} /> : null;
  const place = query === null || pending ? null : document.getElementById('order-number');
  const rows = [
    ['Order number', pending && number !== null ? `#${number}` : null],
    ['Order ID', orderId],
    ['Payment ID', paymentId],
  ] as const;
  return (
    <div className="grid grid-cols-1 content-start gap-6 max-split:mt-6">
      {place && number !== null
        ? createPortal(<OrderNumber number={number} order={order} />, place)
        : null}
      {pending ? <PendingNote state={state} refusal={refusal} /> : bought}
      <div className={isSettled ? undefined : 'after-late'}>{children}</div>
      {/* It comes late: below the links, which may be under a finger by then. */}
      {pending ? bought : null}
      <dl className={`grid gap-1 text-left text-xs text-ink-500 ${isSettled ? '' : 'after-late'}`}>
        {rows.map(([label, value]) =>
          value === null ? null : (
            <div key={label} className="flex flex-wrap justify-between gap-x-6">
              <dt>{label}</dt>
              <dd className="break-all">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}

/** The order number under the heading of the page, where customers photograph it. */
function OrderNumber({ number, order }: { number: string; order: OwnOrder | null | undefined }) {
  const address = order?.customerEmail ?? '';
  useEffect(() => {
    // The page's own sentence about the mail, which cannot know where it goes, and is read again when it has gone.
    const sentence = document.getElementById('order-mail');
    if (sentence && address !== '')
      sentence.textContent = `A confirmation e-mail goes to ${address}.`;
  }, [address]);
  return (
    <p className="text-xl font-medium">
      {orderTitle({ id: number, isTest: order?.isTest === true })}
    </p>
  );
}

export default withFaultNotice(OrderStatus);
