import { platformFee } from '#domain/sums/platform-fee.ts';
import { formatRupees, type Paise } from '#domain/money.ts';
import { shop } from '#settings/shop.ts';

/** What is paid for products of this price: with the platform fee of the shop that is tested. Paise. */
export const totalOf = (subtotal: Paise): Paise =>
  subtotal + platformFee(subtotal, shop.platformFeeBps);

/** How often a page says that so many units are the last ones: only below the shop's `lowStockBelow`. */
export const lowStockNotes = (stock: number): number => (stock < shop.limits.lowStockBelow ? 1 : 0);

/** `totalOf` as the pages write it: '₹2,047.20' for ₹2,000 where the fee is 2.36 %. */
export const totalText = (subtotal: Paise): string => formatRupees(totalOf(subtotal));
