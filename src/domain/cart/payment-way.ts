import type { DeliverySettings } from '../../shop-schema/shop-schema.ts';
import type { Paise } from '../money.ts';

/** The shop's terms of cash on delivery, amounts in paise. */
export type CashTerms = NonNullable<DeliverySettings['cashOnDelivery']>;

/** How an order is paid: all of it `now`, or at the `door`, perhaps after an advance. Its name in requests. */
export const paymentWays = ['now', 'door'] as const;
export type PaymentWay = (typeof paymentWays)[number];

/**
 * Returns the advance of an order that is paid at the door, in paise; 0 for none. Half a paisa is rounded up. Razorpay takes one rupee
 * or more, and as much is left for the door. SQL computes the same in `private.cash_advance`.
 */
export function advanceOf(total: Paise, { advance }: Pick<CashTerms, 'advance'>): Paise {
  if (advance === undefined) return 0;
  const wanted =
    'percent' in advance ? Math.floor((total * advance.percent + 50) / 100) : advance.amount;
  return Math.min(Math.max(wanted, 100), total - 100);
}

/** Why an order cannot be paid at the door: the words of SQL `private.cash_refusal`. */
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
] as const;
export type CashRefusal = (typeof cashRefusals)[number];
