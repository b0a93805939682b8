import type { DeliverySettings } from '#shop-schema/shop-schema.ts';
import { formatRupees, type Paise } from '#domain/money.ts';
import { roundedTo } from './sum-rows.ts';

/** The shop's terms of cash on delivery, amounts in paise. */
export type CashTerms = NonNullable<DeliverySettings['cashOnDelivery']>;

/** How an order is paid: all of it `now`, or at the `door`, perhaps after an advance. Its name in requests. */
export const paymentWays = ['now', 'door'] as const;
export type PaymentWay = (typeof paymentWays)[number];

/** An amount that is paid in coins: to the nearest rupee, 50 paise up. SQL computes the same in `private.cash_amount`. */
const wholeRupees = (paise: Paise): Paise => roundedTo(paise, 100);

/**
 * Returns the advance of an order that is paid at the door, in paise; 0 for none. It is whole rupees, as what is left for the door is.
 * Razorpay takes one rupee or more, and as much is left for the door. SQL computes the same in `private.cash_advance`.
 */
export function advanceOf(total: Paise, { advance }: Pick<CashTerms, 'advance'>): Paise {
  if (advance === undefined) return 0;
  const wanted =
    'percent' in advance ? Math.floor((total * advance.percent + 50) / 100) : advance.amount;
  return Math.min(Math.max(wholeRupees(wanted), 100), total - 100);
}

/** The sentence of a term that takes money: an advance that the shop keeps. Null when it keeps none. `advance` in paise. */
export const keptAdvance = (
  advance: Paise,
  terms: { keepsAdvance: boolean } | null,
): string | null =>
  advance > 0 && terms?.keepsAdvance === true
    ? `If the parcel is not paid at the door, the ${formatRupees(advance)} is not returned.`
    : null;

/**
 * Why an order cannot be paid at the door: the words of SQL `private.cash_refusal`, and `last_unit`, which only placing it says
 * (`private.last_unit_refusal`).
 */
export const cashRefusals = [
  'account',
  'refused',
  'too_little',
  'too_much',
  'pin',
  'product',
  'phone',
  'open_orders',
  'no_mail',
  'last_unit',
] as const;
export type CashRefusal = (typeof cashRefusals)[number];
