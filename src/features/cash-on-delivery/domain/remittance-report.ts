import { formatRupees, type Paise } from '#domain/money.ts';
import { indiaDay } from '#domain/india-dates.ts';
import type { RemittanceAnswer, RemittanceRow } from './cash-api.ts';

type Outcome = RemittanceAnswer['rows'][number]['outcome'];

/** Rows that are not recorded for one reason, in words. */
export interface RemittanceGroup {
  title: string;
  /** What to do; '' for nothing. */
  hint: string;
  lines: string[];
}

/** What a list of a courier does, or has done, in words. */
export interface RemittanceReport {
  /** The whole list, to be compared with the bank account. */
  listed: { count: number; sum: Paise };
  /** Orders that are recorded as paid, and their sum in paise. */
  received: { count: number; sum: Paise };
  /** What is not recorded, the most urgent first. */
  groups: RemittanceGroup[];
  /** Cash that the courier has not transferred yet. */
  missing: string[];
}

/** Those that are the most urgent first. */
const unrecorded: Readonly<
  Record<Exclude<Outcome, 'received'>, readonly [title: string, hint: string]>
> = {
  too_little: [
    'Less than is due',
    'Ask the courier for the rest. If it has kept its charges, choose the column with the cash that it collected as the amount.',
  ],
  too_much: ['More than is due', 'Ask the courier which parcel the rest belongs to.'],
  paid_twice: [
    'Paid before, with another reference',
    'The courier may have transferred this cash twice. Compare both lists.',
  ],
  refused: [
    'Came back unpaid',
    'You recorded that these parcels came back, and the courier says that they were paid. If the customer has the parcel: make the sale anew with “New order”, as paid in cash, with this list’s reference, and forgive the refusal on the order that ended. If the parcel is with you, the courier gets its money back.',
  ],
  not_sold: [
    'No cash to come',
    'These orders are cancelled or not confirmed. Ask the courier why it collected cash.',
  ],
  not_found: [
    'Not found',
    'No order with cash on delivery fits. The tracking number decides; the order number counts where the row or the order has none. Was the parcel sent for another shop, or was its number entered wrongly?',
  ],
  several_orders: [
    'Several orders in one parcel',
    'The list does not say which order each row pays. Search the orders by the tracking number, and press “The cash is here” in each.',
  ],
  unknown_word: [
    'Not known',
    'This page does not know what became of these rows. Reload it, and look at the orders.',
  ],
  already: ['Recorded before', ''],
};

/** Puts the answer to a courier's list into words. `sent` are the rows that were sent. */
export function remittanceReport(
  { rows, missing }: RemittanceAnswer,
  sent: readonly RemittanceRow[],
): RemittanceReport {
  const numbers = new Map(sent.map(({ row, trackingNumber }) => [row, trackingNumber]));
  const lineOf = ({ row, orderId, outcome, duePaise, amountPaise }: (typeof rows)[number]) => {
    const number = numbers.get(row) ?? '';
    const amount = formatRupees(amountPaise);
    const parcel =
      orderId !== null
        ? `order ${String(orderId)}`
        : number === ''
          ? 'no tracking number'
          : `tracking number ${number}`;
    const place = `Row ${String(row)}, ${parcel}`;
    const isOther = outcome === 'too_little' || outcome === 'too_much';
    return `${place}: ${amount}${isOther ? ` in place of ${formatRupees(duePaise ?? 0)}` : ''}`;
  };
  const of = (wanted: string) => rows.filter(({ outcome }) => outcome === wanted);
  const totalOf = (some: typeof rows) => ({
    count: some.length,
    sum: some.reduce((sum, { amountPaise }) => sum + amountPaise, 0),
  });
  return {
    listed: totalOf(rows),
    received: totalOf(of('received')),
    groups: Object.entries(unrecorded).flatMap(([outcome, [title, hint]]) => {
      const lines = of(outcome).map((row) => lineOf(row));
      return lines.length === 0 ? [] : [{ title, hint, lines }];
    }),
    missing: missing.map(
      ({ orderId, carrier, duePaise, at }) =>
        `Order ${String(orderId)}, ${carrier || 'without a courier'}: ${formatRupees(duePaise)}, sent on ${indiaDay(at)}`,
    ),
  };
}
