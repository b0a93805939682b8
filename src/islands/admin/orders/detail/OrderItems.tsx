import type { AdminOrder } from '../../../../domain/admin/orders/orders.ts';
import { refundSums } from '../../../../domain/admin/orders/refund-notes.ts';
import { formatRupees } from '../../../../domain/money.ts';
import { discountLabel } from '../../../../domain/orders/discount-label.ts';
import { ProductImage } from '../../../shared/ProductImage.tsx';
import { DetailPanel } from './DetailPanel.tsx';
import { feeLabel } from '../../../../domain/tax-standing.ts';

/** The bought items, and their total. */
export function OrderItems({ order }: { order: AdminOrder }) {
  const count = `${String(order.pieces)} ${order.pieces === 1 ? 'piece' : 'pieces'}`;
  const { done, open } = refundSums(order);
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
      <dl className="grid gap-1 border-t border-line pt-3">
        <Sum label="Subtotal" paise={order.subtotalPaise} />
        {order.discountPaise > 0 ? (
          <Sum label={discountLabel(order.discountCode)} paise={-order.discountPaise} />
        ) : null}
        <Sum label={feeLabel()} paise={order.feePaise} />
        <Sum label="Total" paise={order.totalPaise} strong />
        {done > 0 ? <Sum label="Refunded" paise={-done} /> : null}
        {open > 0 ? <Sum label="Refund on its way" paise={-open} /> : null}
      </dl>
    </DetailPanel>
  );
}

function Sum({ label, paise, strong = false }: { label: string; paise: number; strong?: boolean }) {
  return (
    <div className={`flex justify-between gap-4 ${strong ? 'font-medium' : 'text-sm'}`}>
      <dt>{label}</dt>
      <dd className="price">{formatRupees(paise)}</dd>
    </div>
  );
}
