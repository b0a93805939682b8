import { formatRupees, type Paise } from '#domain/money.ts';
import type { ShortItem } from '#domain/checkout/short-item.ts';

/** Which products are short and how many are left, as a sentence. */
export function describeShortage(items: readonly ShortItem[]): string {
  if (items.length === 0) return 'A piece in your cart is no longer in stock.';
  const texts = items.map(({ name, available }) =>
    available === 0 ? `${name} is out of stock.` : `Only ${String(available)} of ${name} left.`,
  );
  return `${texts.join(' ')} Your cart was adjusted; please check it and try again.`;
}

/** That a price changed before payment, with the new total. */
export const describeNewTotal = (total: Paise): string =>
  `A price has changed. The new total is ${formatRupees(total)}. Please confirm again to pay it.`;
