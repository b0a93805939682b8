import { useState } from 'react';
import { fulfilmentBadges, orderActions } from '#domain/admin/orders/order-labels.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import type { FulfilmentChange } from '#domain/admin/orders/order-requests.ts';
import { createFulfilmentSender } from '#services/admin/orders/fulfilment-sender.ts';
import { showToast } from '#stores/toasts.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { ShipDialog } from '#islands/admin/orders/dialogs/ShipDialog.tsx';
import { TellShipped } from './TellShipped.tsx';
import { UndoDialog } from '#islands/admin/orders/dialogs/UndoDialog.tsx';

export interface OrderActionsProps {
  order: AdminOrder;
  onOrder: (order: AdminOrder) => void;
  /** Called when nobody knows whether a change was made: the order is read again. */
  onUnknownOutcome: () => void;
}

const forwardLabels = {
  packed: 'Mark packed',
  shipped: 'Mark shipped',
  delivered: 'Mark delivered',
} as const;

/** The steps of the order's parcel, the next one first. What cannot be undone is in `OrderEndings`. */
export function OrderActions({ order, onOrder, onUnknownOutcome }: OrderActionsProps) {
  const [dialog, setDialog] = useState<'ship' | 'undo' | null>(null);
  // A dialog resets after success; after a failure its values and its idempotency key stay.
  const [done, setDone] = useState(0);
  const step = useAction();
  const [sendStep] = useState(() => createFulfilmentSender(order.id));
  const { forward, back } = orderActions(order);
  const close = () => {
    setDialog(null);
  };
  const finish = (next: AdminOrder) => {
    setDialog(null);
    setDone(done + 1);
    onOrder(next);
  };
  const move = (change: FulfilmentChange) =>
    step.run(`Order ${String(order.id)} stays as it is`, async () => {
      // Whatever dialog was opened meanwhile stays.
      onOrder(await sendStep(change));
      showToast(`Order ${String(order.id)} is ${change.state}`, { tone: 'success' });
    });
  const button = (name: typeof dialog, label: string, look: string) => (
    <button type="button" className={`btn ${look}`} onClick={() => setDialog(name)}>
      {label}
    </button>
  );
  const shared = { order, onClose: close, onDone: finish, onUnknownOutcome } as const;

  return (
    <section
      className="mt-5 mb-6 flex flex-wrap gap-2.5 max-sm:[&>.btn]:flex-[1_1_40%] max-sm:[&>.btn]:px-3 [&>.notice]:basis-full"
      aria-label="Actions"
    >
      {forward.map((next, index) => (
        <button
          key={next}
          type="button"
          className={`btn ${index === 0 ? 'btn-primary' : 'btn-secondary'}`}
          aria-busy={next !== 'shipped' && step.busy}
          onClick={() => {
            if (next === 'shipped') setDialog('ship');
            else void move({ state: next });
          }}
        >
          {next !== 'shipped' && step.busy ? 'Saving…' : forwardLabels[next]}
        </button>
      ))}
      <TellShipped order={order} />
      {order.fulfilment === 'shipped' ? button('ship', 'Correct tracking', 'btn-secondary') : null}
      {back === null
        ? null
        : button('undo', `Undo ‘${fulfilmentBadges[order.fulfilment].label}’`, 'btn-quiet')}
      <ActionError error={step.error} />
      <ShipDialog
        key={`ship-${String(done)}`}
        open={dialog === 'ship'}
        stepping={step.busy}
        {...shared}
      />
      {back === null ? null : <UndoDialog open={dialog === 'undo'} back={back} {...shared} />}
    </section>
  );
}
