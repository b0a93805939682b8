import { useState } from 'react';
import { orderActions } from '#domain/admin/orders/order-labels.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { CancelDialog } from '#islands/admin/orders/dialogs/CancelDialog.tsx';
import { RefundDialog } from '#islands/admin/orders/dialogs/RefundDialog.tsx';
import { WithdrawDialog } from '#islands/admin/orders/dialogs/WithdrawDialog.tsx';
import { DetailPanel } from './DetailPanel.tsx';
import type { OrderActionsProps } from './OrderActions.tsx';

/** The steps that cannot be undone, below the documents, so that no slip of a thumb from the next step reaches them. */
export function OrderEndings({ order, onOrder, onUnknownOutcome }: OrderActionsProps) {
  const [dialog, setDialog] = useState<'refund' | 'cancel' | 'withdraw' | null>(null);
  // A dialog resets after success; after a failure its values and its idempotency key stay.
  const [done, setDone] = useState(0);
  const { refund, cancel } = orderActions(order);
  const title =
    refund && cancel
      ? 'Refund, cancellation and links'
      : refund
        ? 'Refund and links'
        : cancel
          ? 'Cancellation and links'
          : 'Mailed links';
  const finish = (next: AdminOrder) => {
    setDialog(null);
    setDone(done + 1);
    onOrder(next);
  };
  const shared = {
    order,
    onClose: () => setDialog(null),
    onDone: finish,
    onUnknownOutcome,
  } as const;
  return (
    <DetailPanel title={title}>
      <div className="mt-3 flex flex-wrap gap-2.5 [&>.notice]:basis-full">
        {refund ? (
          <button type="button" className="btn btn-danger-line" onClick={() => setDialog('refund')}>
            Refund
          </button>
        ) : null}
        {cancel ? (
          <button type="button" className="btn btn-danger-line" onClick={() => setDialog('cancel')}>
            Cancel order
          </button>
        ) : null}
        <button type="button" className="btn btn-quiet" onClick={() => setDialog('withdraw')}>
          Withdraw mailed links
        </button>
      </div>
      <p className="mt-3 text-sm text-ink-500">
        Withdraw the links when one was forwarded to somebody who should not see the order.
      </p>
      <RefundDialog key={`refund-${String(done)}`} open={dialog === 'refund'} {...shared} />
      <WithdrawDialog open={dialog === 'withdraw'} {...shared} />
      <CancelDialog key={`cancel-${String(done)}`} open={dialog === 'cancel'} {...shared} />
    </DetailPanel>
  );
}
