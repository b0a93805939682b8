import type { Paise } from '#domain/money.ts';
import { shareOf } from './platform-fee.ts';

/**
 * How a row is taxed. `lines`: each item of the goods by its own HSN code. `goods`: as the goods that it belongs to. `fee`: a service with
 * the code of the platform fee. The rate itself is that of the day of the invoice (CGST Act, section 14).
 */
export const rowTaxes = ['lines', 'goods', 'fee'] as const;

/**
 * How a partial refund treats a row. `lines` refunds what was paid for the named items, `share` a share in proportion to the goods that go
 * back, and `last` nothing until the rest of the order is refunded.
 */
export const rowRefunds = ['lines', 'share', 'last'] as const;

/** A row of what an order adds up to, as SQL `orders.sum_rows` stores it. */
export interface SumRow {
  /** `goods`, `discount`, or the kind of a charge. */
  kind: string;
  /** Negative for what is taken off. */
  paise: Paise;
  /** The words of a charge. A discount has its code, or null when the admin reduced the price. */
  label: string | null;
  tax: (typeof rowTaxes)[number];
  refund: (typeof rowRefunds)[number];
}

/**
 * A charge beside the goods. Its amount is one of three: a share of the goods less the discount (`bps`, in hundredths of a percent), the
 * rounding of the total `to` a multiple of so many paise, or fixed `paise`.
 */
export type Charge = {
  kind: string;
  label: string;
  tax: 'goods' | 'fee';
  refund: 'share' | 'last';
} & ({ bps: number } | { to: Paise } | { paise: Paise });

/** An amount as a multiple of `step`, half of it up. */
export const roundedTo = (amount: Paise, step: Paise): Paise =>
  Math.floor((amount + step / 2) / step) * step;

function amountOf(charge: Charge, goods: Paise, total: Paise): Paise {
  if ('bps' in charge) return shareOf(goods, charge.bps);
  if ('to' in charge) return roundedTo(total, charge.to) - total;
  return charge.paise;
}

/**
 * The rows of goods with a discount and charges. Every total of the shop is computed here, and to the same paisa by SQL `private.sum_rows`.
 *
 * @param goods - The price of the goods.
 * @param discount - What is taken off, with its code.
 */
export function sumRows(
  goods: Paise,
  discount: { label: string | null; paise: Paise } | null,
  charges: readonly Charge[],
): SumRow[] {
  const off = discount?.paise ?? 0;
  const rows: SumRow[] = [
    { kind: 'goods', paise: goods, label: null, tax: 'lines', refund: 'lines' },
  ];
  if (discount !== null && off > 0)
    rows.push({ ...discount, kind: 'discount', paise: -off, tax: 'lines', refund: 'lines' });
  let total = goods - off;
  for (const charge of charges) {
    const paise = amountOf(charge, goods - off, total);
    const { kind, label, tax, refund } = charge;
    rows.push({ kind, paise, label, tax, refund });
    total += paise;
  }
  return rows;
}

/** The sum of all rows, or of those of one kind, in paise. */
export const rowsPaise = (rows: readonly Pick<SumRow, 'kind' | 'paise'>[], kind?: string): Paise =>
  rows.reduce((sum, row) => (kind === undefined || row.kind === kind ? sum + row.paise : sum), 0);

/** The rows that are charged beside the goods. `other` is what the lines of an imported order and its total differ by. */
export const chargeRows = <Row extends Pick<SumRow, 'kind'>>(rows: readonly Row[]): Row[] =>
  rows.filter(({ kind }) => kind !== 'goods' && kind !== 'discount' && kind !== 'other');
