import type { Paise } from '#domain/money.ts';
import { rowsPaise, sumRows, type SumRow } from '#domain/sums/sum-rows.ts';
import type { Cart } from './cart.ts';
import {
  chargesOf,
  chargeTerms,
  type ChargeTerms,
  type OrderChoices,
} from '#domain/sums/charges.ts';
import { advanceOf } from '#domain/sums/payment-way.ts';
import { discountOf, type DiscountTerms } from './discount-terms.ts';

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
