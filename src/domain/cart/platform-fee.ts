import { shop } from '#settings/shop.ts';
import { formatRupees, shareOf, type Paise } from '#domain/money.ts';

/** The platform fee on a subtotal, half a paisa up. `feeBps` in hundredths of a percent. */
export const platformFee = (subtotal: Paise, feeBps: number): Paise => shareOf(subtotal, feeBps);

/** The platform fee on one unit at this price, as it stands beside it; '' in a shop without a fee. */
export const feeOf = (price: Paise): string =>
  shop.platformFeeBps === 0 ? '' : formatRupees(platformFee(price, shop.platformFeeBps));
