import { useStore } from '@nanostores/react';
import { keyOf, type CartItem } from '#domain/cart/cart.ts';
import { $cartSizes, changeSize } from '#stores/cart-changes.ts';

/** A field of a phone's width cuts longer ones, so they are text. */
const maxFieldLength = 16;
const noSizes: ReturnType<typeof $cartSizes.get> = new Map();

/** The size of a cart line. Once the sizes of the product are fetched, it can be changed here. */
export function LineSize({ item }: { item: CartItem }) {
  const { id, size, name } = item;
  const sizes = useStore($cartSizes, { ssr: () => noSizes }).get(id) ?? [];
  if (size === undefined || size === '') return null;
  const isLong = [{ size }, ...sizes].some((one) => one.size.length > maxFieldLength);
  // The text is as high as the field that takes its place.
  if (isLong || !sizes.some((one) => one.size === size) || sizes.length === 1)
    return <p className="flex min-h-11 items-center text-sm wrap-anywhere">Size {size}</p>;
  const change = (wanted: string) => {
    const chosen = sizes.find((one) => one.size === wanted);
    if (!chosen) return;
    changeSize(keyOf(item), chosen);
    // The line has another key now: the field that had the focus is gone.
    requestAnimationFrame(() => {
      const key = CSS.escape(keyOf({ id, size: wanted }));
      document.querySelector<HTMLElement>(`[data-line="${key}"] select`)?.focus();
    });
  };
  return (
    <label className="flex items-center gap-2 text-sm">
      Size <span className="visually-hidden">of {name}</span>
      <select
        className={`field-input min-h-11 py-0 text-sm ${sizes.some((one) => one.size.length > 6) ? 'w-44' : 'w-24'}`}
        value={size}
        autoComplete="off"
        onChange={(event) => {
          change(event.currentTarget.value);
        }}
      >
        {sizes.map((one) => (
          <option key={one.size} value={one.size} disabled={one.stock === 0}>
            {one.size}
            {one.stock === 0 ? ' (out of stock)' : ''}
          </option>
        ))}
      </select>
    </label>
  );
}
