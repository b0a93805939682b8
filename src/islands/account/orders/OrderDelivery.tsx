import { indiaDay } from '#domain/india-dates.ts';
import { stepTakenAt, type Delivery } from '#domain/orders/order-delivery.ts';
import type { OwnOrder } from '#domain/orders/own-order.ts';
import { refundWords } from '#domain/orders/own-order-progress.ts';
import { expectedDays } from '#domain/orders/promised-delivery.ts';
import { openWithToken } from '#services/auth/post-token.ts';
import { showToast } from '#stores/toasts.ts';
import { useBusy } from '#islands/shared/use-busy.ts';

/** A paid order's delivery, refunds and invoice. Renders nothing when there are none. */
export function OrderDelivery({ order }: { order: OwnOrder }) {
  const { delivery } = order;
  const refund = refundWords(order);
  const expected = expectedDays(order);
  const isPacking = delivery.fulfilment === 'new' && order.cash?.state !== 'to_confirm';
  if (
    delivery.fulfilment === 'new' &&
    refund === null &&
    delivery.invoiceNumber === null &&
    expected === ''
  )
    return null;
  return (
    <div className="mt-4 grid gap-1 text-sm">
      {delivery.fulfilment === 'new' ? null : <DeliveryStep delivery={delivery} />}
      {expected === '' ? null : (
        <p>
          {isPacking ? 'We are packing it. ' : ''}Expected {expected}
        </p>
      )}
      {refund === null ? null : <p>{refund}</p>}
      {delivery.invoiceNumber === null ? null : (
        <InvoiceButton orderId={order.id} number={delivery.invoiceNumber} />
      )}
    </div>
  );
}

function DeliveryStep({ delivery }: { delivery: Delivery }) {
  const { fulfilment, carrier, trackingNumber, trackingUrl } = delivery;
  const at = stepTakenAt(delivery);
  const on = at === null ? '' : ` on ${indiaDay(at)}`;
  if (fulfilment !== 'shipped') {
    const label = {
      new: '',
      packed: 'Packed',
      delivered: `Delivered${on}`,
      // Only a parcel that nobody paid at the door is cancelled after it was sent.
      cancelled: `${delivery.shippedAt === null ? 'Cancelled' : 'Came back'}${on}`,
      unknown: 'Please reload this page to see where your order is.',
    }[fulfilment];
    return <p className="font-medium">{label}</p>;
  }
  return (
    <p className="break-words">
      <span className="font-medium">Shipped{carrier === null ? '' : ` with ${carrier}`}</span>
      {trackingNumber === null ? null : <>, tracking {trackingNumber}</>}
      {trackingUrl === null ? null : (
        <>
          {' · '}
          <a className="link" href={trackingUrl} target="_blank" rel="noopener noreferrer">
            Follow the parcel<span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        </>
      )}
    </p>
  );
}

function InvoiceButton({ orderId, number }: { orderId: string; number: string }) {
  const { busy, run } = useBusy();
  const showFailure = (error: unknown) => {
    console.warn('The invoice could not be opened', error);
    showToast('The invoice could not be opened', {
      description: 'Please try again.',
      tone: 'destructive',
    });
  };
  const open = () =>
    run(showFailure, async () => {
      if (!(await openWithToken(`/api/orders/${encodeURIComponent(orderId)}/invoice`)))
        showToast('Please sign in again to see your invoice.', { tone: 'destructive' });
    });
  return (
    <p>
      <button type="button" className="link py-2.5" aria-busy={busy} onClick={() => void open()}>
        Invoice {number}
        <span className="visually-hidden"> (opens in a new tab)</span>
      </button>
    </p>
  );
}
