import { persistentAtom } from '@nanostores/persistent';
import { parseTerms, type DiscountTerms } from '../domain/cart/cart-summary.ts';
// Sets where persistent stores are kept.
import './cart.ts';

function read(text: string): DiscountTerms | null {
  try {
    return parseTerms(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The shopper's discount code with what it does, kept beside the cart; null for none. */
export const $discount = persistentAtom<DiscountTerms | null>('kasavu:discount', null, {
  encode: (terms) =>
    JSON.stringify(
      terms && {
        code: terms.code,
        percent: terms.percent,
        amount_paise: terms.amount,
        min_paise: terms.minSubtotal,
      },
    ),
  decode: read,
});
