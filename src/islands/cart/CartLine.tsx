import { memo } from 'react';
import { keyOf, type CartItem } from '#domain/cart/cart.ts';
import { categoryLabel } from '#domain/catalogue/category.ts';
import { stockLevel } from '#domain/catalogue/product.ts';
import { sizedName } from '#domain/catalogue/sizes.ts';
import { Icon } from '#islands/shared/Icon.tsx';
import { ProductImage } from '#islands/shared/ProductImage.tsx';
import { LineSize } from './LineSize.tsx';
import { LinePrice } from './LinePrice.tsx';
import { QuantityStepper } from './QuantityStepper.tsx';

/**
 * One product in the cart, or one size of it. A sold-out one is shown, costs nothing and can only be removed. A change of another
 * line does not draw it again.
 */
export const CartLine = memo(function CartLine({
  item,
  onRemove,
}: {
  item: CartItem;
  onRemove: (item: CartItem) => void;
}) {
  const soldOut = item.quantity === 0;
  const level = stockLevel(item.stock);
  const address = `/product/${encodeURIComponent(item.id)}`;
  return (
    <li
      className="flex flex-wrap gap-4 border-b border-line py-5 sm:py-6"
      data-product={item.id}
      data-line={keyOf(item)}
    >
      <a href={address} tabIndex={-1} aria-hidden="true" className="shrink-0">
        <ProductImage
          entry={item.images[0]}
          width={112}
          className={`w-20 sm:w-28 ${soldOut ? 'opacity-60' : ''}`}
        />
      </a>
      <div className="flex min-w-[min(100%,12rem)] flex-1 flex-col justify-between gap-4">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 className="text-lg leading-snug wrap-anywhere" translate="no">
              <a href={address} className="-my-2.5 inline-block py-2.5 hover:underline">
                {item.name}
              </a>
            </h2>
            <p className="text-sm text-ink-500">{categoryLabel(item.category)}</p>
            <LineSize item={item} />
            {level === 'low' ? (
              <p className="mt-1 text-sm text-accent-700">Only {item.stock} left</p>
            ) : null}
          </div>
          <button
            type="button"
            className="icon-btn -mt-2 -mr-2 shrink-0"
            aria-label={`Remove ${sizedName(item.name, item.size)}`}
            onClick={() => {
              onRemove(item);
            }}
          >
            <Icon name="close" />
          </button>
        </div>
        {soldOut ? (
          <p>
            {item.size === '' ? (
              <a href={address} className="link">
                Choose a size
              </a>
            ) : (
              <span className="badge badge-out">Out of stock</span>
            )}
            <span className="ml-3 text-sm text-ink-500">Not charged</span>
          </p>
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <QuantityStepper item={item} />
            <LinePrice item={item} />
          </div>
        )}
      </div>
    </li>
  );
});
