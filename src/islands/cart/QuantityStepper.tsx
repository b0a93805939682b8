import { limitOf, limitTexts, maxQuantity } from '#domain/cart/cart-limits.ts';
import { keyOf, type CartItem } from '#domain/cart/cart.ts';
import { sizedName } from '#domain/catalogue/sizes.ts';
import { changeQuantity } from '#stores/cart-changes.ts';
import { showToast } from '#stores/toasts.ts';
import { Icon } from '#islands/shared/Icon.tsx';

/** Minus and plus of a cart line: never below 1, never above stock (spec section 5) or what one order may hold. */
export function QuantityStepper({ item }: { item: CartItem }) {
  const { quantity, stock } = item;
  const [key, name] = [keyOf(item), sizedName(item.name, item.size)];
  return (
    <div className="stepper" role="group" aria-label={`Quantity of ${name}`}>
      <button
        type="button"
        className="icon-btn"
        aria-label={`Decrease quantity of ${name}`}
        disabled={quantity <= 1}
        onClick={() => {
          if (quantity > 1) changeQuantity(key, quantity - 1);
        }}
      >
        <Icon name="minus" />
      </button>
      <output className="flex items-center justify-center" aria-live="polite">
        {quantity}
      </output>
      <button
        type="button"
        className="icon-btn"
        aria-label={`Increase quantity of ${name}`}
        onClick={() => {
          if (quantity < maxQuantity(stock)) changeQuantity(key, quantity + 1);
          else {
            const [title, description] = limitTexts[limitOf(stock)];
            showToast(title, { description, tone: 'destructive' });
          }
        }}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}
