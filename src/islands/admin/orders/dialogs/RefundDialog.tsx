import { ordersApi } from '#domain/admin/orders/orders-api.ts';
import { useState } from 'react';
import type { RefundRequest } from '#domain/admin/orders/order-requests.ts';
import type { RefundPart } from '#domain/admin/orders/refund-draft.ts';
import { formatRupees } from '#domain/money.ts';
import { toldText } from '#domain/admin/orders/order-labels.ts';
import { isByHand } from '#domain/orders/order-payment.ts';
import { changeOrder } from '#services/admin/orders/orders.ts';
import { showToast } from '#stores/toasts.ts';
import { Field } from '#islands/shared/Field.tsx';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import type { OrderDialogProps } from './order-dialog-props.ts';
import { RefundConfirm } from './RefundConfirm.tsx';
import { RefundLines } from './RefundLines.tsx';
import { useRefundDraft } from './use-refund-draft.ts';

/** What goes back of each row of the order, before the admin changes the amount. */
const partsText = (parts: readonly RefundPart[]): string =>
  parts.length === 0
    ? 'The products with their share of what was charged beside them; change it as you need.'
    : `${parts.map(({ label, paise }) => `${label}: ${formatRupees(paise)}`).join('. ')}. Change it as you need.`;

/** Sends money back, whole or in part: first what and why, then a question with the amount. */
export function RefundDialog({ order, open, onClose, onDone, onUnknownOutcome }: OrderDialogProps) {
  const draft = useRefundDraft(order);
  const { ref, bind, submit, check, amount } = draft;
  const [toConfirm, setToConfirm] = useState<RefundRequest | null>(null);
  // The amount refunded before the first try: after a lost response this refund may be among the refunds.
  const [before, setBefore] = useState<number | null>(null);
  const action = useAction();
  const left = formatRupees(order.refundablePaise);

  const send = async (request: RefundRequest) => {
    const refunded = before ?? order.refundedPaise;
    setBefore(refunded);
    const sent = await action.run('The refund was not made', async () => {
      const next = await changeOrder(ordersApi.refund, order.id, request);
      onDone(next);
      const gone = formatRupees(next.refundedPaise - refunded);
      const done = isByHand(order.paymentId) ? 'is recorded as paid back' : 'is on its way back';
      showToast(`${gone} ${done}`, { description: toldText(order), tone: 'success' });
    });
    if (!sent) onUnknownOutcome();
  };

  return (
    <ModalDialog
      open={open}
      title={`Refund order ${String(order.id)}`}
      onClose={onClose}
      closable={!action.busy}
      className="max-w-xl"
    >
      {toConfirm === null ? (
        <form
          ref={ref}
          noValidate
          autoComplete="off"
          className="mt-3 grid gap-5"
          onSubmit={(event) => void submit(event, () => setToConfirm(check()))}
        >
          <p className="text-ink-700">{left} can still go back to the customer.</p>
          <RefundLines order={order} draft={draft} />
          <Field
            {...bind('amount')}
            label="Amount in rupees"
            inputMode="decimal"
            required
            hint={partsText(draft.parts)}
          />
          <Field {...bind('reason')} label="Reason" required maxLength={200} />
          <button type="submit" className="btn btn-danger btn-block">
            {amount === null || amount === 0 ? 'Refund…' : `Refund ${formatRupees(amount)}…`}
          </button>
        </form>
      ) : (
        <RefundConfirm
          order={order}
          request={toConfirm}
          action={action}
          onBack={() => {
            setToConfirm(null);
          }}
          onConfirm={() => void send(toConfirm)}
        />
      )}
    </ModalDialog>
  );
}
