import { shop } from '#settings/shop.ts';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import type { Charge } from './sum-rows.ts';
import { feeLabel } from '#domain/tax-standing.ts';
import type { CashTerms, PaymentWay } from './payment-way.ts';

/** What a customer chooses that decides the charges. `hand`: the admin takes the money without Razorpay. */
export interface OrderChoices {
  way: PaymentWay | 'hand';
}

/** The shop's terms that decide them. */
export interface ChargeTerms {
  platformFeeBps: number;
  cash: CashTerms | null;
}

export const chargeTerms: ChargeTerms = {
  platformFeeBps: shop.platformFeeBps,
  cash: cashOnDelivery,
};

type Amount = { bps: number } | { to: number } | { paise: number };

interface ChargeKind extends Pick<Charge, 'kind' | 'tax' | 'refund'> {
  label: () => string;
  /** Null when there is no such charge. */
  amount: (choices: OrderChoices, terms: ChargeTerms) => Amount | null;
}

const atDoor = ({ way }: OrderChoices, { cash }: ChargeTerms): CashTerms | null =>
  way === 'door' ? cash : null;

/**
 * Every charge of an order beside its goods, in the order in which they are charged and shown. An order keeps them as rows, so that pages,
 * mails, documents, refunds and files know a new one from here alone. Rounding comes last.
 */
export const chargeKinds: readonly ChargeKind[] = [
  {
    kind: 'fee',
    label: feeLabel,
    tax: 'fee',
    refund: 'share',
    // It covers what Razorpay charges, so money that the admin takes by hand has none.
    amount: (choices, terms) => {
      const isFree = choices.way === 'hand' || atDoor(choices, terms)?.platformFee === false;
      return isFree || terms.platformFeeBps === 0 ? null : { bps: terms.platformFeeBps };
    },
  },
  {
    kind: 'cash_charge',
    label: () => 'Charge for cash on delivery',
    // A part of the delivery, taxed as the goods are (CGST Act, section 8: a composite supply).
    tax: 'goods',
    refund: 'last',
    amount: (choices, terms) => {
      const paise = atDoor(choices, terms)?.charge ?? 0;
      return paise === 0 ? null : { paise };
    },
  },
  {
    kind: 'rounding',
    label: () => 'Rounding to whole rupees',
    // The price that is payable is the value of the supply (CGST Act, section 15).
    tax: 'goods',
    refund: 'last',
    amount: (choices, terms) => (atDoor(choices, terms) === null ? null : { to: 100 }),
  },
];

/** The charges of an order, for SQL `place_order` and for the sum that a customer reads before it. */
export const chargesOf = (choices: OrderChoices, terms: ChargeTerms = chargeTerms): Charge[] =>
  chargeKinds.flatMap(({ kind, label, tax, refund, amount }) => {
    const found = amount(choices, terms);
    return found === null ? [] : [{ kind, label: label(), tax, refund, ...found }];
  });
