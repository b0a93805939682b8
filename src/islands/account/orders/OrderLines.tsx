import { discountLabel } from '../../../domain/orders/discount-label.ts';
import { formatRupees } from '../../../domain/money.ts';
import type { OrderItem } from '../../../domain/orders/order-item.ts';
import type { OwnOrder } from '../../../domain/orders/own-order.ts';
import { shippingLabel } from '../../../settings/shop.ts';
import { ProductImage } from '../../shared/ProductImage.tsx';
import { feeLabel } from '../../../domain/tax-standing.ts';

/** The items with image and link to the product, and the rows up to the total. */
export function OrderLines({ order }: { order: OwnOrder }) {
  return (
    <>
      {order.items.length === 0 ? (
        <p className="text-sm">No items found in this order</p>
      ) : (
        <ul className="grid gap-3 text-sm">
          {order.items.map((item, index) => (
            // The list never changes, and the same product may stand in it twice.
            <Line key={`${String(index)}-${item.name}`} item={item} />
          ))}
        </ul>
      )}
      <dl className="mt-4 grid gap-1 border-t border-line pt-4 text-sm">
        {totalsOf(order).map(([label, amount]) => (
          <div key={label} className="flex justify-between gap-4 text-ink-500">
            <dt>{label}</dt>
            <dd className="price justify-end whitespace-nowrap">{amount}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 font-medium">
          <dt>Total Amount</dt>
          <dd className="price justify-end whitespace-nowrap">{formatRupees(order.amount)}</dd>
        </div>
      </dl>
    </>
  );
}

/** Rows between the items and the total. Imported orders have only a total. */
function totalsOf({ items, subtotal, discount, discountCode, fee }: OwnOrder): [string, string][] {
  const lines = items.reduce((sum, { lineTotal }) => sum + lineTotal, 0);
  if (lines !== subtotal || (fee === 0 && discount === 0)) return [];
  return [
    ['Subtotal', formatRupees(subtotal)],
    ...(discount > 0
      ? [[discountLabel(discountCode), formatRupees(-discount)] as [string, string]]
      : []),
    ['Shipping', shippingLabel],
    [feeLabel(), formatRupees(fee)],
  ];
}

function Line({ item }: { item: OrderItem }) {
  const name = (
    <>
      {item.name} {`×\u00a0${String(item.quantity)}`}
    </>
  );
  return (
    <li className="flex flex-wrap items-center gap-x-4">
      <ProductImage entry={item.image ?? undefined} width={56} className="w-14" />
      <span className="min-w-[min(100%,6rem)] flex-1 wrap-anywhere">
        {item.productId === null ? (
          name
        ) : (
          <a className="link" href={`/product/${encodeURIComponent(item.productId)}`}>
            {name}
          </a>
        )}
      </span>
      <span className="price ml-auto justify-end whitespace-nowrap">
        {formatRupees(item.lineTotal)}
        {item.estimated ? <span className="text-ink-500"> (estimated)</span> : null}
      </span>
    </li>
  );
}
