import { parseTerms, type DiscountTerms } from '#domain/cart/discount-terms.ts';
import { storedAtom } from './stored-atom.ts';

function read(text: string): DiscountTerms | null {
  try {
    return parseTerms(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The customer's discount code and its terms, stored beside the cart; null for none. */
export const $discount = storedAtom<DiscountTerms | null>('kasavu:discount', null, {
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
