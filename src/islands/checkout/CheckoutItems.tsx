import { keyOf, type CartItem } from '../../domain/cart/cart.ts';
import { formatRupees } from '../../domain/money.ts';
import { chargedPrice } from '../../domain/catalogue/product.ts';
import { ProductImage } from '../shared/ProductImage.tsx';

/** A short list of the ordered items, without sold-out lines. */
export function CheckoutItems({ items }: { items: readonly CartItem[] }) {
  return (
    <ul className="border-y border-line" aria-label="Items in your order">
      {items
        .filter((item) => item.quantity > 0)
        .map((item) => (
          <li key={keyOf(item)} className="flex items-center gap-4 py-3">
            <ProductImage entry={item.images[0]} width={56} className="w-14" />
            <span className="min-w-0 flex-1 text-sm">
              {item.name} <span className="text-ink-500">{`×\u00a0${String(item.quantity)}`}</span>
              {item.size === undefined ? null : (
                <span className="block text-ink-500">Size {item.size}</span>
              )}
            </span>
            <span className="price text-sm">
              {formatRupees(chargedPrice(item) * item.quantity)}
            </span>
          </li>
        ))}
    </ul>
  );
}
