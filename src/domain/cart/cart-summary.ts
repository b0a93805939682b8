import { formatRupees, type Paise } from '#domain/money.ts';
import { rowsPaise, sumRows, type SumRow } from '#domain/sums/sum-rows.ts';
import * as v from '#domain/validate.ts';
import type { Cart } from './cart.ts';
import {
  chargesOf,
  chargeTerms,
  type ChargeTerms,
  type OrderChoices,
} from '#domain/sums/charges.ts';
import { advanceOf } from '#domain/sums/payment-way.ts';

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
function discountOf({ percent, amount, minSubtotal }: DiscountTerms, subtotal: Paise): Paise {
  if (subtotal < minSubtotal) return 0;
  return percent === null
    ? Math.min(amount ?? 0, subtotal)
    : Math.floor((subtotal * percent + 50) / 100);
}

export interface CartSummary {
  /** They add up to `total`. */
  rows: SumRow[];
  /** The code that counts; null for none, and when the cart is too small for it. */
  code: string | null;
  total: Paise;
  /** The part of the total that is paid at the door; null for an order that is paid now. */
  cash: { due: Paise } | null;
}

/** The order summary: subtotal at offer prices, discount, the charges of the customer's choices, total; shipping is free (spec section 9). */
export function summarizeCart(
  { total: subtotal }: Pick<Cart, 'total'>,
  discountTerms: DiscountTerms | null = null,
  choices: OrderChoices = { way: 'now' },
  terms: ChargeTerms = chargeTerms,
): CartSummary {
  const discount = discountTerms === null ? 0 : discountOf(discountTerms, subtotal);
  const code = discount === 0 ? null : (discountTerms?.code ?? null);
  const rows = sumRows(subtotal, { label: code, paise: discount }, chargesOf(choices, terms));
  const total = rowsPaise(rows);
  const isCash = choices.way === 'door' && terms.cash !== null;
  return {
    rows,
    code,
    total,
    cash: isCash ? { due: total - advanceOf(total, terms.cash ?? {}) } : null,
  };
}

/** '10 % off', '₹200.00 off carts from ₹1,500.00': what a code does, in words. */
export function termsText({ percent, amount, minSubtotal }: DiscountTerms): string {
  const off = percent === null ? `${formatRupees(amount ?? 0)} off` : `${String(percent)}% off`;
  return minSubtotal > 0 ? `${off} carts from ${formatRupees(minSubtotal)}` : off;
}
