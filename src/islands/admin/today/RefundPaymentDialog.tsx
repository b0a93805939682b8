import { useState } from 'react';
import type { Today } from '../../../domain/admin/today.ts';
import { formatRupees } from '../../../domain/money.ts';
import { sendPaymentRefund } from '../../../services/admin/payments.ts';
import { showToast } from '../../../stores/toasts.ts';
import { ModalDialog } from '../../shared/ModalDialog.tsx';
import { ActionError } from '../shared/ActionError.tsx';
import { useAction } from '../shared/use-action.ts';

interface RefundPaymentDialogProps {
  payment: Today['money']['items'][number];
  onClose: () => void;
  onDone: () => void;
}

/** Asks before a payment that matches no order goes back to where it came from. */
export function RefundPaymentDialog({ payment, onClose, onDone }: RefundPaymentDialogProps) {
  const [key] = useState(() => crypto.randomUUID());
  const action = useAction();
  const amount = formatRupees(payment.amountPaise);
  return (
    <ModalDialog open title={`Send ${amount} back?`} onClose={onClose} closable={!action.busy} className="max-w-lg">
      <p className="mt-4 break-words text-ink-700">
        {payment.kind === 'refund_failed'
          ? `The refund of payment ${payment.paymentId} did not go through. It is tried once more, and never sent twice.`
          : `Payment ${payment.paymentId} belongs to no order of this shop. All of it goes to the card or account that paid, and cannot be called back.`}
      </p>
      <div className="mt-6 grid gap-3">
        <ActionError error={action.error} />
        <div className="flex flex-wrap gap-3">
          <button
            type="button"
            className="btn btn-danger"
            aria-busy={action.busy}
            onClick={() =>
              void action.run('The payment was not sent back', async () => {
                await sendPaymentRefund(payment.paymentId, key);
                onDone();
                showToast(`${amount} is on its way back`, { tone: 'success' });
              })
            }
          >
            {action.busy ? 'Sending…' : `Yes, refund ${amount}`}
          </button>
          <button type="button" className="btn btn-secondary" aria-disabled={action.busy} onClick={() => !action.busy && onClose()}>
            Keep it for now
          </button>
        </div>
      </div>
    </ModalDialog>
  );
}
