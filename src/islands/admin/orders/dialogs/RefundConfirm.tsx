import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import type { RefundRequest } from '#domain/admin/orders/order-requests.ts';
import { formatRupees } from '#domain/money.ts';
import { isByHand } from '#domain/orders/order-payment.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import type { Action } from '#islands/admin/shared/use-action.ts';

interface RefundConfirmProps {
  order: AdminOrder;
  request: RefundRequest;
  action: Action;
  onBack: () => void;
  onConfirm: () => void;
}

/** The confirmation before a refund: how much, to whom, and that it cannot be called back. */
export function RefundConfirm({ order, request, action, onBack, onConfirm }: RefundConfirmProps) {
  const amount = formatRupees(request.amountPaise);
  const quantity = request.restock.reduce((sum, item) => sum + item.quantity, 0);
  return (
    <div className="mt-4 grid gap-5">
      <p className="text-lg">
        {isByHand(order.paymentId) ? 'Record that you pay' : 'Send'}{' '}
        <strong className="font-semibold">{amount}</strong> back to{' '}
        {order.customerName || 'the customer'}?
      </p>
      <p className="text-ink-700">
        {isByHand(order.paymentId)
          ? 'You pay it back yourself; this records it. '
          : 'It goes to the card or account that paid, and cannot be undone. '}
        {quantity === 0
          ? 'Nothing comes back into stock.'
          : `${String(quantity)} ${quantity === 1 ? 'piece comes' : 'pieces come'} back into stock.`}
      </p>
      <ActionError error={action.error} />
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className="btn btn-danger"
          autoFocus
          aria-busy={action.busy}
          onClick={onConfirm}
        >
          {action.busy ? 'Sending…' : `Yes, refund ${amount}`}
        </button>
        <button
          type="button"
          className="btn btn-secondary"
          aria-disabled={action.busy}
          onClick={() => !action.busy && onBack()}
        >
          Back
        </button>
      </div>
    </div>
  );
}
