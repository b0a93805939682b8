import { shippingLabel } from '#settings/shop.ts';
import { formatRupees, type Paise } from '#domain/money.ts';
import { rowsPaise, type SumRow } from '#domain/sums/sum-rows.ts';

/** What a cart or an order adds up to. */
export interface OrderAmounts {
  rows: readonly SumRow[];
  /** The part that the customer pays at the door. */
  cash?: { due: Paise } | null;
  /** Nothing is shipped, because the customer took it along. */
  handedOver?: boolean;
}

/** A row of the sums as it is shown. */
export interface ShownRow {
  label: string;
  amount: string;
  isTotal?: boolean;
}

/** How the total of an order that is paid at the door is paid. */
const cashRows = (amount: Paise, due: Paise): ShownRow[] => [
  ...(amount > due ? [{ label: 'Advance, paid online', amount: formatRupees(amount - due) }] : []),
  { label: 'Cash at the door', amount: formatRupees(due) },
];

const labelOf = ({ kind, label }: SumRow): string => {
  if (kind === 'goods') return 'Subtotal';
  if (kind === 'discount') return label === null ? 'Price reduction' : `Discount (${label})`;
  return label ?? 'Other charges';
};

const isOfGoods = ({ kind }: SumRow): boolean => kind === 'goods' || kind === 'discount';

/**
 * The rows from the subtotal to the total (spec section 3). A charge of nothing has no row. An imported order, whose lines do not add up
 * to its total, has only a total.
 */
export function orderSums(
  { rows, cash, handedOver = false }: OrderAmounts,
  totalLabel: 'Total' | 'Total Amount' = 'Total',
): ShownRow[] {
  const amount = rowsPaise(rows);
  const total = { label: totalLabel, amount: formatRupees(amount), isTotal: true };
  if (rows.some(({ kind }) => kind === 'other')) return [total];
  const shown = (row: SumRow): ShownRow => ({
    label: labelOf(row),
    amount: formatRupees(row.paise),
  });
  return [
    ...rows.filter(isOfGoods).map(shown),
    ...(handedOver ? [] : [{ label: 'Shipping', amount: shippingLabel }]),
    ...rows.filter((row) => !isOfGoods(row) && row.paise !== 0).map(shown),
    total,
    ...(cash ? cashRows(amount, cash.due) : []),
  ];
}
