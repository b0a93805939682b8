import { useState } from 'react';
import type { Today } from '#domain/admin/today.ts';
import { formatRupees } from '#domain/money.ts';
import { refundPayment } from '#domain/admin/orders/orders-api.ts';
import { callAdmin } from '#services/admin/api.ts';
import { showToast } from '#stores/toasts.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';

interface RefundPaymentDialogProps {
  payment: Today['money']['items'][number];
  onClose: () => void;
  onDone: () => void;
}

/** Asks before a payment that belongs to no order goes back to where it came from. */
export function RefundPaymentDialog({ payment, onClose, onDone }: RefundPaymentDialogProps) {
  const [key] = useState(() => crypto.randomUUID());
  const action = useAction();
  const amount = formatRupees(payment.amountPaise);
  return (
    <DialogForm
      title={`Send ${amount} back?`}
      action={action}
      submitText={`Yes, refund ${amount}`}
      busyText="Sending…"
      danger
      dismissText="Keep it for now"
      onClose={onClose}
      onSubmit={() =>
        void action.run('The payment was not sent back', async () => {
          await callAdmin(refundPayment, {
            params: { paymentId: payment.paymentId },
            body: { key },
          });
          onDone();
          showToast(`${amount} is on its way back`, { tone: 'success' });
        })
      }
    >
      <p className="break-words text-ink-700">
        {payment.kind === 'refund_failed'
          ? `The refund of payment ${payment.paymentId} did not go through. It is tried once more, and never sent twice.`
          : `Payment ${payment.paymentId} ${payment.orderId === null ? 'belongs to no order of this shop' : `cannot be used for order ${String(payment.orderId)}`}. All of it goes to the card or account that paid, and cannot be undone.`}
      </p>
    </DialogForm>
  );
}
