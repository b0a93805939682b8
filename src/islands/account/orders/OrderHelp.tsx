import { useState } from 'react';
import { formatRupees } from '#domain/money.ts';
import { askLinks, cancelChoice, cancelRefund } from '#domain/orders/own-order-progress.ts';
import type { OwnOrder } from '#domain/orders/own-order.ts';
import { ClaimLink, ClaimNote } from '#features/claims/ClaimLink.tsx';
import { seller } from '#settings/seller.ts';
import { showToast } from '#stores/toasts.ts';
import { useBusy } from '#islands/shared/use-busy.ts';
import { reasonOf } from '#services/connection.ts';

const linkClass = 'link inline-block py-2.5';

/** Contacts the shop about an order, with its number filled in, and cancels it. */
export function OrderHelp({ order, onChanged }: { order: OwnOrder; onChanged: () => void }) {
  const choice = cancelChoice(order);
  const { whatsapp, mail } = askLinks(order);
  return (
    <div className="mt-4 border-t border-line pt-2 text-sm">
      <p className="flex flex-wrap gap-x-6">
        <a className={linkClass} href={whatsapp} target="_blank" rel="noopener noreferrer">
          Ask about this order<span className="visually-hidden"> (WhatsApp, in a new tab)</span>
        </a>
        <a className={linkClass} href={mail}>
          By e-mail
        </a>
        {choice === 'ask' ? <AskLink order={order} /> : null}
        <ClaimLink order={order} className={linkClass} />
      </p>
      <ClaimNote order={order} />
      {choice === 'cancel' ? <CancelOrder order={order} onChanged={onChanged} /> : null}
    </div>
  );
}

function AskLink({ order }: { order: OwnOrder }) {
  return (
    <a
      className={linkClass}
      href={askLinks(order, 'I would like to cancel this order. ').whatsapp}
      target="_blank"
      rel="noopener noreferrer"
    >
      Ask to cancel
      <span className="visually-hidden"> (WhatsApp, in a new tab)</span>
    </a>
  );
}

function CancelOrder({ order, onChanged }: { order: OwnOrder; onChanged: () => void }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const { busy, run } = useBusy();
  // One key for every press: a repeated request is the same cancellation.
  const [key] = useState(() => crypto.randomUUID());
  const showFailure = (error: unknown) =>
    void showToast('The order was not cancelled', {
      description: reasonOf(error),
      tone: 'destructive',
      durationMs: 8_000,
    });
  const { begunWithin, arriveWithin } = seller.refunds;
  const { refunded, kept } = cancelRefund(order);
  const cancel = async () => {
    if (busy) return;
    await run(showFailure, async () => {
      const { cancelOwnOrder } = await import('#services/orders/cancel-order.ts');
      await cancelOwnOrder(order.id, {
        key,
        paid: order.answers.isSale && order.cash?.state !== 'due',
      });
      showToast('Order cancelled', {
        ...(refunded > 0 && { description: `The refund for order #${order.id} is on its way.` }),
        tone: 'success',
      });
    });
    onChanged();
  };
  if (!isConfirming) {
    return (
      <button
        type="button"
        className={linkClass}
        onClick={() => {
          setIsConfirming(true);
        }}
      >
        Cancel order
      </button>
    );
  }
  return (
    <div className="mt-2 bg-mist p-4" role="group" aria-label="Cancel order">
      <p>
        Cancel order #{order.id}?{' '}
        {refunded === 0
          ? 'Nothing was paid, and nothing is charged.'
          : `We refund ${formatRupees(refunded)} within ${begunWithin}; your bank then takes ${arriveWithin}.`}
        {kept > 0 ? ` The platform fee of ${formatRupees(kept)} is not refunded.` : null}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <button
          type="button"
          className="btn btn-danger"
          aria-busy={busy}
          autoFocus
          onClick={() => void cancel()}
        >
          Yes, cancel it
        </button>
        <button
          type="button"
          className="btn btn-quiet"
          onClick={() => {
            setIsConfirming(false);
          }}
        >
          Keep it
        </button>
      </div>
    </div>
  );
}
