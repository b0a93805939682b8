import { keyOf, type CartItem } from '#domain/cart/cart.ts';
import { formatRupees } from '#domain/money.ts';
import { chargedPrice } from '#domain/catalogue/product.ts';
import { ProductImage } from '#islands/shared/ProductImage.tsx';

const quantityOf = ({ quantity }: CartItem): string => `×\u00a0${String(quantity)}`;

/** A short list of the ordered items. */
export function CheckoutItems({ items }: { items: readonly CartItem[] }) {
  return (
    <ul className="border-t border-line" aria-label="Items in your order">
      {items.map((item) => (
        <li key={keyOf(item)} className="flex items-center gap-4 py-3">
          <ProductImage entry={item.images[0]} width={56} className="w-14" />
          <span className="min-w-0 flex-1 text-sm wrap-anywhere">
            {item.name} {item.size === undefined ? quantityOf(item) : null}
            {item.size === undefined ? null : (
              <span className="block">
                Size {item.size} {quantityOf(item)}
              </span>
            )}
          </span>
          <span className="price text-sm">{formatRupees(chargedPrice(item) * item.quantity)}</span>
        </li>
      ))}
    </ul>
  );
}
