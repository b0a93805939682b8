import { shop } from '#settings/shop.ts';
import { formatRupees, type Paise } from '#domain/money.ts';

/**
 * The platform fee on a subtotal: `round(subtotal * bps / 10000)`, half up, in integers, so that the
 * browser's figure and the database's (`place_order`) are the same to the paisa.
 */
export function platformFee(subtotal: Paise, feeBps: number): Paise {
  return Math.floor((subtotal * feeBps + 5_000) / 10_000);
}

/** The platform fee on one unit at this price, as it stands beside it; '' in a shop without a fee. */
export const feeOf = (price: Paise): string =>
  shop.platformFeeBps === 0 ? '' : formatRupees(platformFee(price, shop.platformFeeBps));
