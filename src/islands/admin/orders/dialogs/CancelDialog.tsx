import { useRef, useState } from 'react';
import { cancelRequestSchema } from '../../../../domain/admin/orders/orders.ts';
import { formatRupees } from '../../../../domain/money.ts';
import { toldText } from '../../../../domain/admin/orders/order-labels.ts';
import { isByHand } from '../../../../domain/orders/order.ts';
import { cancelOrder } from '../../../../services/admin/orders.ts';
import { showToast } from '../../../../stores/toasts.ts';
import { Field } from '../../../shared/Field.tsx';
import { focusFirstError } from '../../../shared/focus-field.ts';
import { ModalDialog } from '../../../shared/ModalDialog.tsx';
import { ActionError } from '../../shared/ActionError.tsx';
import { CheckField } from '../../shared/CheckField.tsx';
import { useAction } from '../../shared/use-action.ts';
import type { OrderDialogProps } from './order-dialog-props.ts';

/** Ends an order before it ships: everything that is left of its money goes back. */
export function CancelDialog({ order, open, onClose, onDone, onUnknownOutcome }: OrderDialogProps) {
  // Made once: pressing again after a lost response does not send the money a second time.
  const [key] = useState(() => crypto.randomUUID());
  const [reason, setReason] = useState('');
  const [restock, setRestock] = useState(true);
  const [fault, setFault] = useState<string | undefined>();
  const form = useRef<HTMLFormElement>(null);
  const action = useAction();
  const amount = formatRupees(order.refundablePaise);
  const pays = order.refundablePaise > 0;

  const submit = async () => {
    const parsed = cancelRequestSchema.safeParse({ key, reason, restock });
    if (!parsed.success) {
      const message = parsed.error.issues[0]?.message;
      setFault(message);
      focusFirstError(form.current, ['reason'], { reason: message });
      return;
    }
    const sent = await action.run('The order is not cancelled', async () => {
      onDone(await cancelOrder(order.id, parsed.data));
      const description = pays ? `${amount} goes back to ${order.customerName}.` : 'There was nothing to send back.';
      showToast(`Order ${String(order.id)} is cancelled`, { description, tone: 'success' });
    });
    if (!sent) onUnknownOutcome();
  };

  return (
    <ModalDialog
      open={open}
      title={`Cancel order ${String(order.id)}?`}
      onClose={onClose}
      closable={!action.busy}
      className="max-w-lg"
    >
      <form
        ref={form}
        noValidate
        className="mt-4 grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-700">
          {pays ? (
            <>
              <strong className="font-semibold text-ink-900">{amount}</strong>,{' '}
              {order.refundedPaise > 0 ? 'all that is left of the payment' : 'all that was paid'}, goes
            </>
          ) : (
            'Nothing goes'
          )}{' '}
          back to {order.customerName || 'the buyer'}. {isByHand(order.paymentId) ? 'You pay it back yourself. ' : ''}
          {toldText(order)} This cannot be undone.
        </p>
        <Field
          name="reason"
          label="Reason (the buyer does not see it)"
          value={reason}
          error={fault}
          maxLength={200}
          autoComplete="off"
          required
          onValue={(text) => {
            setReason(text);
            setFault(undefined);
          }}
        />
        <CheckField label="Put the pieces back into stock" checked={restock} onChecked={setRestock} />
        <ActionError error={action.error} />
        <div className="flex flex-wrap gap-3">
          <button type="submit" className="btn btn-danger" aria-busy={action.busy}>
            {action.busy ? 'Cancelling…' : pays ? `Yes, cancel and refund ${amount}` : 'Yes, cancel it'}
          </button>
          <button type="button" className="btn btn-secondary" aria-disabled={action.busy} onClick={() => !action.busy && onClose()}>
            Keep the order
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}
