import { ordersApi } from '#domain/admin/orders/orders-api.ts';
import { invoiceMessage, whatsappLink } from '#domain/admin/orders/contact-links.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { PackingSlipLink } from '#features/labels/PackingSlipLink.tsx';
import { documentWords } from '#domain/tax-standing.ts';
import { changeOrder, orderDocuments } from '#services/admin/orders/orders.ts';
import { tax } from '#settings/tax.ts';
import { showToast } from '#stores/toasts.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { DetailPanel } from './DetailPanel.tsx';

// 'bill of supply' from a seller who may not collect GST. A document that is issued keeps its own title; this is the shop's word now.
const { registration } = tax;
const { name: document } = documentWords(
  registration.kind === 'regular' ? undefined : registration.kind,
);
const capitalized = document.charAt(0).toUpperCase() + document.slice(1);

interface OrderDocumentsProps {
  order: AdminOrder;
  onOrder: (order: AdminOrder) => void;
}

/** The documents of the parcel, ready to print, and the invoice's way to the customer. An order that is not sold has no documents. */
export function OrderDocuments({ order, onOrder }: OrderDocumentsProps) {
  // A cancelled order sold nothing: without an invoice there is nothing to print.
  if (order.invoiceNumber === null && (!order.sold || order.fulfilment === 'cancelled'))
    return null;
  const hasCreditNote =
    order.invoiceNumber !== null &&
    (order.refunds.some(({ state }) => state === 'processed') || order.cash?.state === 'ended');
  return (
    <DetailPanel title="Documents">
      <div className="mt-3 flex flex-wrap gap-2">
        <PackingSlipLink order={order} />
        <DocumentButton label={capitalized} action={orderDocuments.invoice(order.id)} />
        {hasCreditNote ? (
          <DocumentButton label="Credit note" action={orderDocuments.creditNote(order.id)} />
        ) : null}
      </div>
      <p className="mt-3 text-sm text-ink-500">
        {order.invoiceNumber === null
          ? `The ${document} gets its number when it is first opened, or when the order ships. Then it can be sent to the customer.`
          : `${capitalized} ${order.invoiceNumber}`}
      </p>
      {order.invoiceNumber === null ? null : <SendInvoice order={order} onOrder={onOrder} />}
    </DetailPanel>
  );
}

/** A document that gets its number by the press: a form, because a link must change nothing. */
function DocumentButton({ label, action }: { label: string; action: string }) {
  return (
    <form method="post" action={action} target="_blank" rel="noopener">
      <button type="submit" className="btn btn-secondary btn-small">
        {label}
        <span className="visually-hidden"> (opens in a new tab)</span>
      </button>
    </form>
  );
}

/** The invoice to the customer: by the shop's mail, or by the admin's own WhatsApp with a text that is written already. */
function SendInvoice({ order, onOrder }: OrderDocumentsProps) {
  const action = useAction();
  const href = whatsappLink(
    order.customerPhone,
    invoiceMessage(order, new URL('/profile#orders', window.location.href).href),
  );
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {order.customerEmail === '' ? null : (
        <button
          type="button"
          className="btn btn-secondary btn-small"
          aria-busy={action.busy}
          onClick={() =>
            void action.run(`The ${document} was not sent`, async () => {
              onOrder(await changeOrder(ordersApi.mailInvoice, order.id, {}));
              showToast(`The ${document} is on its way to ${order.customerEmail}`, {
                tone: 'success',
              });
            })
          }
        >
          {action.busy ? 'Sending…' : `Send ${document} by mail`}
        </button>
      )}
      {href === null ? null : (
        <a
          className="btn btn-secondary btn-small"
          href={href}
          target="_blank"
          rel="noopener noreferrer"
        >
          Send by WhatsApp
        </a>
      )}
      <ActionError error={action.error} />
    </div>
  );
}
