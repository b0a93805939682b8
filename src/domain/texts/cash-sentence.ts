import type { CashTerms } from '../cart/payment-way.ts';
import { formatRupees } from '../money.ts';

/** Sentences for a policy that say what the terms of cash on delivery are. `terms` is null in a shop without it. */
export function cashSentence(terms: CashTerms | null): string {
  if (terms === null) return 'There is no cash on delivery.';
  const { charge, minTotal, maxTotal, pins, advance, keepsAdvance } = terms;
  const where = pins === undefined ? '' : ', at the PIN codes to which couriers bring it';
  const cost = charge === 0 ? 'It costs nothing more' : `It costs ${formatRupees(charge)} more`;
  const share =
    advance !== undefined && 'percent' in advance
      ? `${String(advance.percent)} % of the total`
      : formatRupees(advance?.amount ?? 0);
  const kept = keepsAdvance ? ' and is not returned when the parcel is not paid at the door' : '';
  return [
    `Cash on delivery is possible for orders of ${formatRupees(minTotal)} to ${formatRupees(maxTotal)}${where}.`,
    advance === undefined ? `${cost}.` : `${cost}; ${share} is paid online when you order${kept}.`,
    'Such an order binds you and us when we have confirmed it by phone or WhatsApp; until it is packed you can cancel it at no cost.',
  ].join(' ');
}
