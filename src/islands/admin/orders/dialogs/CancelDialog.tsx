import { ordersApi } from '#domain/admin/orders/orders-api.ts';
import { useState } from 'react';
import { cancelRequestSchema } from '#domain/admin/orders/order-requests.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import { formatRupees } from '#domain/money.ts';
import { cancelRefundOf, toldText } from '#domain/admin/orders/order-labels.ts';
import { isByHand } from '#domain/orders/order-payment.ts';
import { changeOrder } from '#services/admin/orders/orders.ts';
import { showToast } from '#stores/toasts.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { CheckField } from '#islands/admin/shared/fields/CheckField.tsx';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import type { OrderDialogProps } from './order-dialog-props.ts';

/** Ends an order before it ships: everything that is left of its money goes back. */
export function CancelDialog({ order, open, onClose, onDone, onUnknownOutcome }: OrderDialogProps) {
  // The key is made once, so that pressing again after a lost response does not send the money a second time.
  const [key] = useState(() => crypto.randomUUID());
  const form = useForm(() => ({ reason: '', restock: true }));
  const action = useAction();
  const back = cancelRefundOf(order);
  const amount = formatRupees(back.paise);
  const pays = back.paise > 0;

  const submit = async () => {
    const request = form.accept(parseForm(cancelRequestSchema, { key, ...form.values }));
    if (!request) return;
    const sent = await action.run('The order is not cancelled', async () => {
      onDone(await changeOrder(ordersApi.cancel, order.id, request));
      const description = pays
        ? `${amount} goes back to ${order.customerName}.`
        : 'There was nothing to send back.';
      showToast(`Order ${String(order.id)} is cancelled`, { description, tone: 'success' });
    });
    if (!sent) onUnknownOutcome();
  };

  return (
    <DialogForm
      title={`Cancel order ${String(order.id)}?`}
      open={open}
      action={action}
      submitText={pays ? `Yes, cancel and refund ${amount}` : 'Yes, cancel it'}
      busyText="Cancelling…"
      danger
      dismissText="Keep the order"
      form={form.ref}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <p className="text-ink-700">
        {pays ? (
          <>
            <strong className="font-semibold text-ink-900">{amount}</strong>, {back.name}, goes
          </>
        ) : (
          'Nothing goes'
        )}{' '}
        back to {order.customerName || 'the customer'}.{' '}
        {isByHand(order.paymentId) ? 'You pay it back yourself. ' : ''}
        {toldText(order)} This cannot be undone.
      </p>
      <Field
        {...form.bind('reason')}
        label="Reason (the customer does not see it)"
        maxLength={200}
        required
      />
      <CheckField
        label="Put the products back into stock"
        checked={form.values.restock}
        onChecked={(restock) => form.change({ restock })}
      />
    </DialogForm>
  );
}
