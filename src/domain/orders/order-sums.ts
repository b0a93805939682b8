import { shippingLabel } from '#settings/shop.ts';
import { formatRupees, type Paise } from '#domain/money.ts';
import { feeLabel } from '#domain/tax-standing.ts';

/** What a cart or an order adds up to, in paise: subtotal - discount + fee + the charge for cash and its rounding = amount. */
export interface OrderAmounts {
  /** Missing when the subtotal is their sum anyway. */
  items?: readonly { lineTotal: Paise }[];
  subtotal: Paise;
  /** Null for none, and for a price that the admin reduced. */
  discountCode: string | null;
  discount: Paise;
  fee: Paise;
  amount: Paise;
  /** The charge of an order that is paid at the door, what its amount was rounded by, and what is paid there. */
  cash?: { charge: Paise; rounding: Paise; due: Paise } | null;
  /** Nothing is shipped, because the customer took it along. */
  handedOver?: boolean;
}

/** A row of the sums as it is shown. */
export interface SumRow {
  label: string;
  amount: string;
  isTotal?: boolean;
}

/** On pages and documents: cash is paid in whole rupees. */
export const roundingLabel = 'Rounding to whole rupees';

/** How the total of an order that is paid at the door is paid. */
const cashRows = (amount: Paise, due: Paise): SumRow[] => [
  ...(amount > due ? [{ label: 'Advance, paid online', amount: formatRupees(amount - due) }] : []),
  { label: 'Cash at the door', amount: formatRupees(due) },
];

/**
 * The rows from the subtotal to the total (spec section 3). A discount or fee of nothing has no row. An imported order, whose lines do
 * not add up to the subtotal, has only a total.
 */
export function orderSums(
  { items, subtotal, discountCode, discount, fee, amount, cash, handedOver = false }: OrderAmounts,
  totalLabel: 'Total' | 'Total Amount' = 'Total',
): SumRow[] {
  const total = { label: totalLabel, amount: formatRupees(amount), isTotal: true };
  if (items && items.reduce((sum, { lineTotal }) => sum + lineTotal, 0) !== subtotal)
    return [total];
  return [
    { label: 'Subtotal', amount: formatRupees(subtotal) },
    ...(discount === 0
      ? []
      : [
          {
            label: discountCode === null ? 'Price reduction' : `Discount (${discountCode})`,
            amount: formatRupees(-discount),
          },
        ]),
    ...(handedOver ? [] : [{ label: 'Shipping', amount: shippingLabel }]),
    ...(fee === 0 ? [] : [{ label: feeLabel(), amount: formatRupees(fee) }]),
    ...(cash && cash.charge > 0
      ? [{ label: 'Charge for cash on delivery', amount: formatRupees(cash.charge) }]
      : []),
    ...(cash && cash.rounding !== 0
      ? [{ label: roundingLabel, amount: formatRupees(cash.rounding) }]
      : []),
    total,
    ...(cash ? cashRows(amount, cash.due) : []),
  ];
}
