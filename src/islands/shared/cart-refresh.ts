import { unitsText } from '#domain/cart/cart-limits.ts';
import { cartOf, keyOf } from '#domain/cart/cart.ts';
import { refreshCart, type CartChange } from '#domain/cart/cart-refresh.ts';
import { formatRupees } from '#domain/money.ts';
import { heldQuantities } from '#services/storage/checkout-attempt.ts';
import { fetchCurrentProducts } from '#services/catalogue/current-catalogue.ts';
import { shop } from '#settings/shop.ts';
import { $cartSizes } from '#stores/cart-changes.ts';
import { $cart } from '#stores/cart.ts';
import { showToast } from '#stores/toasts.ts';

function describeChange(change: CartChange): string {
  switch (change.kind) {
    case 'removed':
      return `${change.name} is no longer available and was removed.`;
    case 'size':
      return `${change.name} now comes in sizes: please choose yours on its page.`;
    case 'units':
      return `${change.name}: ${unitsText(shop.limits.unitsPerOrder)}`;
    case 'price':
      return `${change.name} now costs ${formatRupees(change.to)} (was ${formatRupees(change.from)}).`;
    case 'stock':
      return change.quantity === 0
        ? `${change.name} is out of stock.`
        : `Only ${String(change.quantity)} of ${change.name} left.`;
  }
}

/** Refreshes saved items from the current catalogue and shows what changed. Keeps the cart when the catalogue cannot be fetched. */
export async function refreshCartFromCatalogue(): Promise<void> {
  const ids = $cart.get().items.map((item) => item.id);
  if (ids.length === 0) return;
  try {
    const held = heldQuantities();
    const products = (await fetchCurrentProducts(ids)).map((product) => ({
      ...product,
      // Units that the customer's own unpaid order holds are still theirs to buy.
      stock: product.stock + (held.get(product.id) ?? 0),
      sizes: product.sizes.map(({ size, stock }) => ({
        size,
        stock: stock + (held.get(keyOf({ id: product.id, size })) ?? 0),
      })),
    }));
    $cartSizes.set(new Map(products.map(({ id, sizes }) => [id, sizes])));
    // Items added during the request are not in the response; do not treat them as removed.
    const requested = new Set(ids);
    const added = $cart.get().items.filter((item) => !requested.has(item.id));
    const saved = cartOf($cart.get().items.filter((item) => requested.has(item.id)));
    const { cart, changes } = refreshCart(saved, products);
    const next = cartOf([...cart.items, ...added]);
    if (JSON.stringify(next) !== JSON.stringify($cart.get())) $cart.set(next);
    if (changes.length > 0) {
      showToast('Your cart was updated', {
        description: changes.map(describeChange).join(' '),
        durationMs: 8_000,
      });
    }
  } catch (error) {
    console.info('The cart could not be refreshed from the catalogue', error);
  }
}
