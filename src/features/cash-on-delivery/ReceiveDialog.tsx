import { paiseFromText, rupeeText } from '#domain/admin/typed-rupees.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import { formatRupees } from '#domain/money.ts';
import type { OrderDialogProps } from '#islands/admin/orders/dialogs/order-dialog-props.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { changeOrder } from '#services/admin/orders/orders.ts';
import { showToast } from '#stores/toasts.ts';
import { cashApi, receiveSchema } from './domain/cash-api.ts';

/** Records the cash of one order by hand. */
export function ReceiveDialog({
  order,
  open,
  onClose,
  onDone,
  onUnknownOutcome,
}: OrderDialogProps) {
  const due = order.cash?.due ?? 0;
  const form = useForm(() => ({ amount: rupeeText(due), reference: '' }));
  const action = useAction();
  const submit = async () => {
    const { amount, reference } = form.values;
    const parsed = parseForm(receiveSchema, {
      amountPaise: paiseFromText(amount) ?? Number.NaN,
      reference,
    });
    const request = form.accept(
      parsed.ok
        ? parsed
        : { ok: false, errors: { ...parsed.errors, amount: parsed.errors.amountPaise } },
    );
    if (!request) return;
    const sent = await action.run('The cash is not recorded', async () => {
      onDone(await changeOrder(cashApi.receive, order.id, request));
      showToast(`Order ${String(order.id)} is paid`, { tone: 'success' });
    });
    if (!sent) onUnknownOutcome();
  };
  return (
    <DialogForm
      title={`The cash of order ${String(order.id)}`}
      open={open}
      action={action}
      submitText="The cash is here"
      busyText="Saving…"
      dismissText="Not yet"
      form={form.ref}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <p className="text-ink-700">{formatRupees(due)} is due at the door.</p>
      <Field {...form.bind('amount')} label="Amount in rupees" inputMode="decimal" required />
      <Field
        {...form.bind('reference')}
        label="Your note (optional)"
        hint="Such as the number of the courier’s transfer."
        maxLength={100}
      />
    </DialogForm>
  );
}
