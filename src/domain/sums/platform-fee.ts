import { shop } from '#settings/shop.ts';
import { formatRupees, type Paise } from '#domain/money.ts';

/** A share of an amount, `bps` in hundredths of a percent, half a paisa up, in integers. */
export const shareOf = (amount: Paise, bps: number): Paise =>
  Math.floor((amount * bps + 5_000) / 10_000);

/** The platform fee on a subtotal, half a paisa up. `feeBps` in hundredths of a percent. */
export const platformFee = (subtotal: Paise, feeBps: number): Paise => shareOf(subtotal, feeBps);

/** The platform fee on one unit at this price, as it stands beside it; '' in a shop without a fee. */
export const feeOf = (price: Paise): string =>
  shop.platformFeeBps === 0 ? '' : formatRupees(shareOf(price, shop.platformFeeBps));
