import { toldText } from '#domain/admin/orders/order-labels.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import type { OrderDialogProps } from '#islands/admin/orders/dialogs/order-dialog-props.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { CheckField } from '#islands/admin/shared/fields/CheckField.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { changeOrder } from '#services/admin/orders/orders.ts';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { showToast } from '#stores/toasts.ts';
import { cashApi, refuseSchema } from './domain/cash-api.ts';
import { refusedAdvanceText } from './domain/refused-advance.ts';

/** A parcel that nobody paid at the door comes back. */
export function RefuseDialog({ order, open, onClose, onDone, onUnknownOutcome }: OrderDialogProps) {
  const form = useForm(() => ({ reason: '', restock: true }));
  const action = useAction();
  const submit = async () => {
    const request = form.accept(parseForm(refuseSchema, form.values));
    if (!request) return;
    const sent = await action.run('Nothing was changed', async () => {
      onDone(await changeOrder(cashApi.refuse, order.id, request));
      showToast(`Order ${String(order.id)} came back`, {
        description: 'Its invoice has a credit note.',
        tone: 'success',
      });
    });
    if (!sent) onUnknownOutcome();
  };
  return (
    <DialogForm
      title={`Order ${String(order.id)} was refused at the door?`}
      open={open}
      action={action}
      submitText="Yes, it comes back"
      busyText="Saving…"
      danger
      dismissText="No"
      form={form.ref}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <p className="text-ink-700">
        {refusedAdvanceText(order)}
        {cashOnDelivery === null
          ? ''
          : `This account and phone get no cash on delivery for ${String(cashOnDelivery.refusedForDays)} days; you can forgive it. `}
        {toldText(order)} This cannot be undone: if the courier paid after all, the sale is made
        anew with “New order”.
      </p>
      <Field
        {...form.bind('reason')}
        label="What the courier says (the customer does not see it)"
        maxLength={200}
      />
      <CheckField
        label="Put the products back into stock"
        checked={form.values.restock}
        onChecked={(restock) => form.change({ restock })}
      />
    </DialogForm>
  );
}
