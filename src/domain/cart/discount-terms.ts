import { formatRupees, type Paise } from '#domain/money.ts';
import * as v from '#domain/validate.ts';

/** The discount of a code: a share in percent, or an amount. The database has the last word. */
export interface DiscountTerms {
  code: string;
  percent: number | null;
  amount: Paise | null;
  /** 0 for any cart. */
  minSubtotal: Paise;
}

/** Normalises a typed code. */
export const tidyCode = (text: string): string =>
  // Full-width letters are their usual ones, and what nobody sees is no letter.
  text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cf}]/gu, '')
    .toUpperCase();

/** A code may look like this: 4 to 20 letters, digits and hyphens. */
export const codePattern = /^[A-Z0-9][A-Z0-9-]{3,19}$/u;

const parseRow = v.object({
  code: v.nonEmptyString,
  percent: v.withDefault(v.nonNegativeInt, null),
  amount_paise: v.withDefault(v.nonNegativeInt, null),
  min_paise: v.nonNegativeInt,
});

/** Reads terms as the server sends them and as they are stored. Throws ValidationError. */
export function parseTerms(value: unknown): DiscountTerms {
  const { code, percent, amount_paise: amount, min_paise: minSubtotal } = parseRow(value);
  return { code, percent, amount, minSubtotal };
}

/** The discount on a subtotal, half a paisa up; 0 when the cart is too small. SQL computes the same in `private.discount_of`. */
export function discountOf(
  { percent, amount, minSubtotal }: DiscountTerms,
  subtotal: Paise,
): Paise {
  if (subtotal < minSubtotal) return 0;
  return percent === null
    ? Math.min(amount ?? 0, subtotal)
    : Math.floor((subtotal * percent + 50) / 100);
}

/** '10 % off', '₹200.00 off carts from ₹1,500.00': what a code does, in words. */
export function termsText({ percent, amount, minSubtotal }: DiscountTerms): string {
  const off = percent === null ? `${formatRupees(amount ?? 0)} off` : `${String(percent)}% off`;
  return minSubtotal > 0 ? `${off} carts from ${formatRupees(minSubtotal)}` : off;
}
