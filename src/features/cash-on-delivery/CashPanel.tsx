import { useState } from 'react';
import { confirmMessage, telLink, whatsappLink } from '#domain/admin/orders/contact-links.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { orderHash } from '#domain/admin/orders/orders-address.ts';
import { indiaDay, indiaMoment } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { DetailPanel } from '#islands/admin/orders/detail/DetailPanel.tsx';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useFetched } from '#islands/admin/shared/fetching/use-fetched.ts';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { AdminError } from '#services/admin/admin-error.ts';
import { callAdmin } from '#services/admin/api.ts';
import { changeOrder } from '#services/admin/orders/orders.ts';
import { showToast } from '#stores/toasts.ts';
import { ReceiveDialog } from './ReceiveDialog.tsx';
import { RefuseDialog } from './RefuseDialog.tsx';
import { cashApi, type CashRefusals } from './domain/cash-api.ts';

interface CashPanelProps {
  order: AdminOrder;
  onOrder: (order: AdminOrder) => void;
  onUnknownOutcome: () => void;
}

/** The cash of an order: confirming it, recording the cash, and a parcel that comes back. */
export function CashPanel({ order, onOrder, onUnknownOutcome }: CashPanelProps) {
  const [dialog, setDialog] = useState<'receive' | 'refuse' | null>(null);
  const { data, ...state } = useFetched({
    queryKey: ['cash', order.id],
    queryFn: ({ signal }) => callAdmin(cashApi.read, { params: { id: order.id }, signal }),
  });
  const { cash } = order;
  if (cash === null) return null;
  const dialogProps = {
    order,
    open: true,
    onClose: () => setDialog(null),
    onDone: (changed: AdminOrder) => {
      setDialog(null);
      onOrder(changed);
      state.reload();
    },
    onUnknownOutcome,
  };
  const wasSent = order.fulfilment === 'shipped' || order.fulfilment === 'delivered';
  return (
    <div className="mb-5">
      <DetailPanel title="Cash on delivery" aside={formatRupees(cash.due)}>
        <Refusals refusals={data?.refusals ?? []} order={order} onForgiven={state.reload} />
        {cash.state === 'to_confirm' ? (
          <Confirm order={order} onOrder={onOrder} onOutdated={onUnknownOutcome} />
        ) : null}
        {cash.state === 'due' ? (
          <>
            <p className="mt-2 text-sm text-ink-700">
              {wasSent
                ? 'The courier brings the cash. A list of what a courier has transferred can be read in the list of orders.'
                : 'Confirmed. The labels and the courier’s file carry the amount.'}
            </p>
            <div className="mt-3 flex flex-wrap gap-2">
              <button
                type="button"
                className="btn btn-secondary btn-small"
                onClick={() => setDialog('receive')}
              >
                The cash is here
              </button>
              {wasSent ? (
                <button
                  type="button"
                  className="btn btn-secondary btn-small"
                  onClick={() => setDialog('refuse')}
                >
                  Refused at the door
                </button>
              ) : null}
            </div>
          </>
        ) : null}
        {cash.state === 'paid' ? (
          <p className="mt-2 text-sm text-ink-700">
            The cash came{order.paidAt === null ? '' : ` on ${indiaDay(order.paidAt)}`}
            {order.paymentReference ? ` (${order.paymentReference})` : ''}.
          </p>
        ) : null}
        {cash.state === 'advance' ? (
          <p className="mt-2 text-sm text-ink-700">The advance is not paid yet.</p>
        ) : null}
        {cash.state === 'ended' ? (
          <p className="mt-2 text-sm text-ink-700">{endedText(order)}</p>
        ) : null}
      </DetailPanel>
      {dialog === 'receive' ? <ReceiveDialog {...dialogProps} /> : null}
      {dialog === 'refuse' ? <RefuseDialog {...dialogProps} /> : null}
    </div>
  );
}

function endedText({ fulfilment, shippedAt, totalPaise, cash }: AdminOrder): string {
  if (fulfilment === 'cancelled')
    return shippedAt === null ? 'Cancelled before it was sent.' : 'Refused at the door.';
  return cash !== null && cash.due < totalPaise && cash.advancePaymentId === null
    ? 'The advance was not paid in time.'
    : 'It was not confirmed in time.';
}

/** Asks the customer by phone or WhatsApp, and records the answer. */
function Confirm({
  order,
  onOrder,
  onOutdated,
}: Pick<CashPanelProps, 'order' | 'onOrder'> & { onOutdated: () => void }) {
  const action = useAction();
  const due = order.cash?.due ?? 0;
  const call = telLink(order.customerPhone);
  const chat = whatsappLink(order.customerPhone, confirmMessage(order, due));
  const until = order.cash?.until ?? null;
  const confirm = () =>
    action.run('The order is not confirmed', async () => {
      try {
        onOrder(await changeOrder(cashApi.confirm, order.id, { revision: order.revision }));
      } catch (error) {
        if (error instanceof AdminError && error.code === 'outdated') onOutdated();
        throw error;
      }
      showToast(`Order ${String(order.id)} is confirmed`, {
        description: 'It is in the list to pack.',
        tone: 'success',
      });
    });
  return (
    <>
      <p className="mt-2 text-sm text-ink-700">
        Ask {order.customerName || 'the customer'} whether the order stands
        {until === null ? '' : `, by ${indiaMoment(until)}`}. Without a confirmation it ends then,
        and its pieces are for sale again. Cancel it when the customer says no.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {call === null ? null : (
          <a className="btn btn-secondary btn-small" href={call}>
            Call {order.customerPhone}
          </a>
        )}
        {chat === null ? null : (
          <a
            className="btn btn-secondary btn-small"
            href={chat}
            target="_blank"
            rel="noopener noreferrer"
          >
            Ask by WhatsApp<span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        )}
        <button
          type="button"
          className="btn btn-primary btn-small"
          aria-busy={action.busy}
          onClick={() => void confirm()}
        >
          {action.busy ? 'Saving…' : 'Confirm the order'}
        </button>
      </div>
      <ActionError error={action.error} />
    </>
  );
}

/** Parcels that this customer did not pay at the door. */
function Refusals({
  refusals,
  order,
  onForgiven,
}: CashRefusals & { order: AdminOrder; onForgiven: () => void }) {
  const action = useAction();
  if (refusals.length === 0) return null;
  const forgive = (orderId: number) =>
    action.run('Nothing was changed', async () => {
      await changeOrder(cashApi.forgive, orderId, {});
      showToast(`Order ${String(orderId)} is forgiven`, {
        ...(refusals.length === 1 && {
          description: 'The customer can choose cash on delivery again.',
        }),
        tone: 'success',
      });
      // The button that was pressed goes with its line.
      document.getElementById('order-title')?.focus({ preventScroll: true });
      onForgiven();
    });
  return (
    <div className="notice mt-2 text-sm">
      <p>This customer did not pay at the door, and gets no cash on delivery for a while:</p>
      <ul className="mt-2">
        {refusals.map(({ orderId, at, reason }) => (
          <li
            key={orderId}
            className="flex flex-wrap items-center justify-between gap-x-3 border-t border-line py-1"
          >
            <span className="wrap-anywhere">
              {orderId === order.id ? (
                'This order'
              ) : (
                <a className="link inline-block py-2.5" href={orderHash(orderId)}>
                  Order {orderId}
                </a>
              )}
              , {indiaDay(at)}
              {reason === '' ? null : <span className="block">{reason}</span>}
            </span>
            <button
              type="button"
              className="link min-h-11"
              aria-busy={action.busy}
              onClick={() => void forgive(orderId)}
            >
              Forgive<span className="visually-hidden"> order {orderId}</span>
            </button>
          </li>
        ))}
      </ul>
      <ActionError error={action.error} />
    </div>
  );
}
