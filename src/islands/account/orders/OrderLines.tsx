import { unsizedName } from '#domain/catalogue/sizes.ts';
import { formatRupees } from '#domain/money.ts';
import type { OrderItem } from '#domain/orders/order-item.ts';
import { orderSums } from '#domain/orders/order-sums.ts';
import type { OwnOrder } from '#domain/orders/own-order.ts';
import { ProductImage } from '#islands/shared/ProductImage.tsx';
import { SummaryRows } from '#islands/shared/SummaryRows.tsx';

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
      <div className="mt-4 border-t border-line pt-4">
        <SummaryRows rows={orderSums(order, 'Total Amount')} />
      </div>
    </>
  );
}

function Line({ item }: { item: OrderItem }) {
  const quantity = `×\u00a0${String(item.quantity)}`;
  const name = unsizedName(item.name, item.size);
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
        {item.size === undefined ? `\u00a0${quantity}` : null}
        {item.size === undefined ? null : (
          <span className="block">
            Size {item.size} {quantity}
          </span>
        )}
      </span>
      <span className="price ml-auto justify-end whitespace-nowrap">
        {formatRupees(item.lineTotal)}
        {item.estimated ? <span className="text-ink-500"> (estimated)</span> : null}
      </span>
    </li>
  );
}
