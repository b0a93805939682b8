import { useState } from 'react';
import { cancelRequestSchema } from '../../../../domain/admin/orders/order-requests.ts';
import { parseForm } from '../../../../domain/checkout/forms.ts';
import { formatRupees } from '../../../../domain/money.ts';
import { toldText } from '../../../../domain/admin/orders/order-labels.ts';
import { isByHand } from '../../../../domain/orders/order-payment.ts';
import { cancelOrder } from '../../../../services/admin/orders/orders.ts';
import { showToast } from '../../../../stores/toasts.ts';
import { Field } from '../../../shared/Field.tsx';
import { CheckField } from '../../shared/CheckField.tsx';
import { DialogForm } from '../../shared/DialogForm.tsx';
import { useAction } from '../../shared/use-action.ts';
import { useTypedFields } from '../../shared/use-typed-fields.ts';
import type { OrderDialogProps } from './order-dialog-props.ts';

/** Ends an order before it ships: everything that is left of its money goes back. */
export function CancelDialog({ order, open, onClose, onDone, onUnknownOutcome }: OrderDialogProps) {
  // Made once: pressing again after a lost response does not send the money a second time.
  const [key] = useState(() => crypto.randomUUID());
  const { values, form, bind, refuse } = useTypedFields(() => ({ reason: '' }));
  const [restock, setRestock] = useState(true);
  const action = useAction();
  const amount = formatRupees(order.refundablePaise);
  const pays = order.refundablePaise > 0;

  const submit = async () => {
    const parsed = parseForm(cancelRequestSchema, { key, reason: values.reason, restock });
    if (!parsed.ok) {
      refuse(parsed.errors);
      return;
    }
    const sent = await action.run('The order is not cancelled', async () => {
      onDone(await cancelOrder(order.id, parsed.values));
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
      form={form}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <p className="text-ink-700">
        {pays ? (
          <>
            <strong className="font-semibold text-ink-900">{amount}</strong>,{' '}
            {order.refundedPaise > 0 ? 'the rest of the payment' : 'the full amount'}, goes
          </>
        ) : (
          'Nothing goes'
        )}{' '}
        back to {order.customerName || 'the buyer'}.{' '}
        {isByHand(order.paymentId) ? 'You pay it back yourself. ' : ''}
        {toldText(order)} This cannot be undone.
      </p>
      <Field
        {...bind('reason')}
        label="Reason (the buyer does not see it)"
        maxLength={200}
        required
      />
      <CheckField label="Put the pieces back into stock" checked={restock} onChecked={setRestock} />
    </DialogForm>
  );
}
