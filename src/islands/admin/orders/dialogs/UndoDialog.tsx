import type { AdminOrder, FulfilmentChange } from '../../../../domain/admin/orders/orders.ts';
import { fulfilmentBadges } from '../../../../domain/admin/orders/order-labels.ts';
import { changeFulfilment } from '../../../../services/admin/orders.ts';
import { showToast } from '../../../../stores/toasts.ts';
import { ModalDialog } from '../../../shared/ModalDialog.tsx';
import { ActionError } from '../../shared/ActionError.tsx';
import { useAction } from '../../shared/use-action.ts';
import type { OrderDialogProps } from './order-dialog-props.ts';

type Back = 'new' | 'packed' | 'shipped';

/** The step back; to 'shipped' again with the parcel that it had. */
function changeTo(back: Back, { carrier, trackingNumber, trackingUrl }: AdminOrder): FulfilmentChange {
  if (back !== 'shipped') return { state: back };
  return { state: back, carrier: carrier ?? '', trackingNumber: trackingNumber ?? '', trackingUrl: trackingUrl ?? '' };
}

/** Asks before an order goes one step back. Only shipping tells the buyer, so only that mail stays sent. */
export function UndoDialog({ order, back, open, onClose, onDone }: OrderDialogProps & { back: Back }) {
  const action = useAction();
  const now = fulfilmentBadges[order.fulfilment].label;
  const then = fulfilmentBadges[back].label;
  const told = order.fulfilment === 'shipped' ? ' The mail that told the buyer of the parcel cannot be called back.' : ' The buyer gets no mail of it.';
  return (
    <ModalDialog open={open} title={`Undo ‘${now}’?`} onClose={onClose} closable={!action.busy} className="max-w-narrow">
      <p className="mt-4 text-ink-700">
        Order {order.id} goes back to ‘{then}’.{told}
      </p>
      <div className="mt-6 grid gap-3">
        <ActionError error={action.error} />
        <div className="flex flex-wrap gap-3">
          <button
            type="button"
            className="btn btn-primary"
            aria-busy={action.busy}
            onClick={() =>
              void action.run(`Order ${String(order.id)} stays as it is`, async () => {
                onDone(await changeFulfilment(order.id, changeTo(back, order)));
                showToast(`Order ${String(order.id)} is back at ‘${then}’`, { tone: 'success' });
              })
            }
          >
            {action.busy ? 'Saving…' : `Yes, back to ‘${then}’`}
          </button>
          <button type="button" className="btn btn-secondary" onClick={onClose}>
            Leave it
          </button>
        </div>
      </div>
    </ModalDialog>
  );
}
