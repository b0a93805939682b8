import type { CashTerms } from '#domain/sums/payment-way.ts';
import { formatRupees } from '#domain/money.ts';
import { inclGst, taxStanding } from '#domain/tax-standing.ts';

/** The terms of the two ways to pay, of which texts say what is added to a price. `cash` is null in a shop without cash on delivery. */
export interface PaymentTerms {
  /** The platform fee in hundredths of a percent. */
  feeBps: number;
  cash: CashTerms | null;
}

/** The sentence of a shop without it. */
export const noCash = 'There is no cash on delivery.';

const percent = (bps: number): string => `${(bps / 100).toFixed(2)}%`;
/** Whether only those who pay online pay the platform fee. */
const isFeeOnline = ({ feeBps, cash }: PaymentTerms): boolean =>
  feeBps > 0 && cash?.platformFee === false;

/** What the charge for cash is, beside the fee of paying online. */
function chargeSentence(terms: PaymentTerms, cash: CashTerms): string {
  const charge =
    cash.charge === 0
      ? 'Nothing is charged for it'
      : `It costs ${formatRupees(cash.charge)} for collecting the cash`;
  return `${charge}${isFeeOnline(terms) ? ', and the platform fee of paying online falls away' : ''}.`;
}

function advanceSentences({ advance, keepsAdvance }: CashTerms): string[] {
  if (advance === undefined) return [];
  const share =
    'percent' in advance
      ? `${String(advance.percent)} % of the total, in whole rupees,`
      : formatRupees(advance.amount);
  return [
    `An advance of ${share} is paid online when you order.`,
    ...(keepsAdvance ? ['It is not returned when the parcel is not paid at the door.'] : []),
  ];
}

/** Sentences for a policy that say what the terms of cash on delivery are. */
export function cashSentence(terms: PaymentTerms): string {
  const { cash } = terms;
  if (cash === null) return noCash;
  const where = cash.pins === undefined ? '' : ', at the PIN codes to which couriers bring it';
  return [
    `Cash on delivery is possible for orders of ${formatRupees(cash.minTotal)} to ${formatRupees(cash.maxTotal)}${where}.`,
    chargeSentence(terms, cash),
    'The total is rounded to whole rupees.',
    ...advanceSentences(cash),
    'Such an order binds you and us when we have confirmed it by phone or WhatsApp. Until it is packed you can cancel it at no cost.',
  ].join(' ');
}

/** A sentence that says what the cart adds to the prices, for whom. */
export function feeSentence(terms: PaymentTerms): string {
  const { feeBps, cash } = terms;
  const charge =
    cash === null || cash.charge === 0
      ? ''
      : `${formatRupees(cash.charge)} for collecting the cash, if you pay at the door`;
  if (feeBps === 0)
    return charge === '' ? 'The cart adds no fee.' : `The cart adds no fee but ${charge}.`;
  const fee = `A platform fee of ${percent(feeBps)}${inclGst()}`;
  if (isFeeOnline(terms))
    return `${fee} is added in the cart when you pay online${charge === '' ? '' : `, and ${charge}`}.`;
  return `${fee} is added in the cart${charge === '' ? '' : `, and ${charge}`}.`;
}

/** The parts of a total, for the terms: 'the subtotal, the shipping, and a platform fee of 2.36% of the subtotal'. */
export function totalParts(terms: PaymentTerms): string {
  const { feeBps, cash } = terms;
  const gst = taxStanding().collectsTax ? ', GST on that fee included' : '';
  const fee = `a platform fee of ${percent(feeBps)} of the subtotal${gst}${isFeeOnline(terms) ? ' (only when you pay online)' : ''}`;
  const parts = [
    'the subtotal',
    'the shipping',
    ...(feeBps === 0 ? [] : [fee]),
    ...(cash === null || cash.charge === 0
      ? []
      : ['the charge for cash on delivery, if you choose it']),
  ];
  const last = parts.pop() ?? '';
  return `${parts.join(', ')}${parts.length > 1 ? ',' : ''} and ${last}`;
}

/** How money that was paid in cash goes back; '' in a shop without cash on delivery. */
export const cashRefundSentence = (cash: CashTerms | null): string =>
  cash === null
    ? ''
    : ' What was paid in cash we send to a UPI ID or bank account that you name to us; we never ask for a PIN.';
