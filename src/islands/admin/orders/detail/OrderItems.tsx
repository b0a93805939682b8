import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { refundSums } from '#domain/admin/orders/refund-notes.ts';
import { formatRupees } from '#domain/money.ts';
import { orderSums } from '#domain/orders/order-sums.ts';
import { ProductImage } from '#islands/shared/ProductImage.tsx';
import { SummaryRows } from '#islands/shared/SummaryRows.tsx';
import { DetailPanel } from './DetailPanel.tsx';

/** The bought items, and their total. */
export function OrderItems({ order }: { order: AdminOrder }) {
  const count = `${String(order.pieces)} ${order.pieces === 1 ? 'piece' : 'pieces'}`;
  const { done, open } = refundSums(order);
  const lost = order.payments.reduce((sum, { lostPaise }) => sum + lostPaise, 0);
  const rows = [
    ...orderSums(order),
    ...(done > 0 ? [{ label: 'Refunded', amount: formatRupees(-done) }] : []),
    ...(lost > 0 ? [{ label: 'Given back by the bank', amount: formatRupees(-lost) }] : []),
    ...(open > 0 ? [{ label: 'Refund on its way', amount: formatRupees(-open) }] : []),
  ];
  return (
    <DetailPanel title="Items" aside={`(${count})`}>
      {order.items.length === 0 ? (
        <p className="mt-2 text-sm">No items found in this order</p>
      ) : (
        <ul className="mt-3">
          {order.items.map((item, index) => (
            // The same product may stand in an imported order twice.
            <li
              key={`${String(index)}-${item.name}`}
              className="flex items-start gap-4 border-t border-line py-3"
            >
              <ProductImage entry={item.image ?? undefined} width={64} className="w-16" />
              <div className="min-w-0 flex-1">
                <p className="break-words">
                  <span className={item.quantity > 1 ? 'font-semibold' : ''}>
                    {item.quantity} ×
                  </span>{' '}
                  {item.name}
                </p>
                <p className="text-sm text-ink-500">
                  {formatRupees(item.pricePaise)} each
                  {item.restocked > 0 ? ` · ${String(item.restocked)} back in stock` : ''}
                </p>
              </div>
              <p className="price">{formatRupees(item.pricePaise * item.quantity)}</p>
            </li>
          ))}
        </ul>
      )}
      <div className="border-t border-line pt-3">
        <SummaryRows rows={rows} />
      </div>
    </DetailPanel>
  );
}
