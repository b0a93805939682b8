import { ordersApi } from '#domain/admin/orders/orders-api.ts';
import { changeOrder } from '#services/admin/orders/orders.ts';
import { showToast } from '#stores/toasts.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import type { OrderDialogProps } from './order-dialog-props.ts';

/** Asks before the links in an order's mails end: nothing brings them back. */
export function WithdrawDialog({ order, open, onClose, onDone }: OrderDialogProps) {
  const action = useAction();
  return (
    <DialogForm
      title="Withdraw the mailed links?"
      open={open}
      action={action}
      submitText="Yes, end the links"
      busyText="Withdrawing…"
      dismissText="Leave them"
      className="max-w-narrow"
      onClose={onClose}
      onSubmit={() =>
        void action.run('The links still work', async () => {
          onDone(await changeOrder(ordersApi.withdrawLinks, order.id, {}));
          showToast('The links that were mailed no longer work', { tone: 'success' });
        })
      }
    >
      <p className="text-ink-700">
        Tracking, invoice and damage report open no more from the mails that the customer of order{' '}
        {order.id} got so far. This cannot be undone; later mails carry new links. A payment link is
        not withdrawn: cancel the order to end it.
      </p>
    </DialogForm>
  );
}
