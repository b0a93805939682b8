import { ordersApi } from '#domain/admin/orders/orders-api.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import type { FulfilmentChange } from '#domain/admin/orders/order-requests.ts';
import { fulfilmentBadges } from '#domain/admin/orders/order-labels.ts';
import { changeOrder } from '#services/admin/orders/orders.ts';
import { showToast } from '#stores/toasts.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import type { OrderDialogProps } from './order-dialog-props.ts';

type Back = 'new' | 'packed' | 'shipped';

/** The step back; to 'shipped' again with the parcel that it had. */
function changeTo(
  back: Back,
  { carrier, trackingNumber, trackingUrl }: AdminOrder,
): FulfilmentChange {
  if (back !== 'shipped') return { state: back };
  return {
    state: back,
    carrier: carrier ?? '',
    trackingNumber: trackingNumber ?? '',
    trackingUrl: trackingUrl ?? '',
  };
}

/** Asks before an order goes one step back. Only shipping notifies the customer, so only that mail stays sent. */
export function UndoDialog({
  order,
  back,
  open,
  onClose,
  onDone,
}: OrderDialogProps & { back: Back }) {
  const action = useAction();
  const now = fulfilmentBadges[order.fulfilment].label;
  const then = fulfilmentBadges[back].label;
  const mailNote =
    order.fulfilment === 'shipped'
      ? ' The mail to the customer about the parcel cannot be recalled.'
      : ' The customer gets no mail about it.';
  return (
    <DialogForm
      title={`Undo ‘${now}’?`}
      open={open}
      action={action}
      submitText={`Yes, back to ‘${then}’`}
      busyText="Saving…"
      dismissText="Leave it"
      className="max-w-narrow"
      onClose={onClose}
      onSubmit={() =>
        void action.run(`Order ${String(order.id)} stays as it is`, async () => {
          onDone(await changeOrder(ordersApi.changeFulfilment, order.id, changeTo(back, order)));
          showToast(`Order ${String(order.id)} is back at ‘${then}’`, { tone: 'success' });
        })
      }
    >
      <p className="text-ink-700">
        Order {order.id} goes back to ‘{then}’.{mailNote}
      </p>
    </DialogForm>
  );
}
