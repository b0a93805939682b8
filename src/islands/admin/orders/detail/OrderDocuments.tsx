import { isPaid } from '../../../../domain/admin/order-labels.ts';
import type { AdminOrder } from '../../../../domain/admin/orders.ts';
import { orderDocuments } from '../../../../services/admin/orders.ts';
import { DetailPanel } from './DetailPanel.tsx';

/** What goes into the parcel, ready to print. An unpaid order has no documents. */
export function OrderDocuments({ order }: { order: AdminOrder }) {
  if (!isPaid(order)) return null;
  const links = [
    ['Packing slip', orderDocuments.packingSlip(order.id)],
    ['Invoice', orderDocuments.invoice(order.id)],
  ] as const;
  return (
    <DetailPanel title="Print">
      <div className="mt-3 flex flex-wrap gap-2">
        {links.map(([name, href]) => (
          <a key={name} className="btn btn-secondary btn-small" href={href} target="_blank" rel="noopener">
            {name}
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        ))}
      </div>
      <p className="mt-3 text-sm text-ink-500">
        {order.invoiceNumber === null
          ? 'The invoice gets its number when it is first opened, or when the order ships.'
          : `Invoice ${order.invoiceNumber}`}
      </p>
    </DetailPanel>
  );
}
