import type { CartItem } from '#domain/cart/cart.ts';
import { formatRupees } from '#domain/money.ts';
import { chargedPrice } from '#domain/catalogue/product.ts';

/** The price of a line: price × quantity, struck through beside the offer's amount when there is an offer. */
export function LinePrice({ item }: { item: CartItem }) {
  const full = item.price * item.quantity;
  const charged = chargedPrice(item) * item.quantity;
  return (
    <div className="ml-auto text-right">
      {charged === full ? null : (
        <p className="text-sm">
          <span className="visually-hidden">Price before the offer: </span>
          <s className="price-was">{formatRupees(full)}</s>
        </p>
      )}
      <p className="price justify-end">{formatRupees(charged)}</p>
      {item.quantity > 1 ? (
        <p className="text-sm text-ink-500">{formatRupees(chargedPrice(item))} each</p>
      ) : null}
    </div>
  );
}
