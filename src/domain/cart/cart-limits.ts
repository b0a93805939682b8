import { shop } from '#settings/shop.ts';

/**
 * What keeps units out of a cart: 'stock' is all that there is, 'units' is what one order may hold of a product, 'lines' is how many
 * different products it may hold. `place_order` has the same limits.
 */
export type CartLimit = 'stock' | 'units' | 'lines';

/** The most units of a line with this stock. */
export const maxQuantity = (stock: number): number => Math.min(stock, shop.limits.unitsPerOrder);

/** Which limit caps a line. */
export const limitOf = (stock: number): CartLimit =>
  stock > shop.limits.unitsPerOrder ? 'units' : 'stock';

/** The message for the units limit of one order. */
export const unitsText = (limit: number): string =>
  `Up to ${String(limit)} of one piece can be bought at once. For more, please write to us.`;

/** The toast of a limit (spec section 5 for 'stock'). */
export const limitTexts: Readonly<Record<CartLimit, readonly [title: string, text: string]>> = {
  stock: ['Stock Limit', 'Cannot exceed available stock'],
  units: ['Quantity Limit', unitsText(shop.limits.unitsPerOrder)],
  lines: [
    'Cart Full',
    `One order takes up to ${String(shop.limits.cartLines)} different pieces. Order these first, or take one out.`,
  ],
};
