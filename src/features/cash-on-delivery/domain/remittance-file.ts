import {
  courierCell,
  courierHeadings,
  firstHeading,
  orderNumber,
  referencePart,
  roundedFault,
  trackingNumberOf,
} from '#domain/admin/orders/courier-list.ts';
import type { TableFault, TableFile } from '#domain/admin/table-file.ts';
import { paiseFromText } from '#domain/admin/typed-rupees.ts';
import { maxReference, type RemittanceRow } from './cash-api.ts';

/** The headings of a file's columns; '' for one that it lacks. */
export interface RemittanceHeadings {
  trackingNumber: string;
  order: string;
  amount: string;
  reference: string;
}

/** A courier's list of the cash that it has transferred. A file with its first two columns is this list. */
interface RemittanceList {
  trackingNumber: string;
  amount: string;
  /** Missing when the order numbers of the list are not the shop's. */
  order?: string;
  /** The first that the file has. */
  reference: readonly string[];
}

/*
 * No courier publishes its list outside of its panel; beside each stands what it was read from, on 28 November 2026. Blue Dart's
 * could not be found: public programs that read it try several names for each column, which are among those below. Nothing was found
 * of India Post's, DTDC's and Shree Maruti's.
 */
const shiprocket: RemittanceList = {
  // Sheet "AWB level report" of the workbook, alike in three public programs but for one column; one is tested with the shape of a real
  // file of September 2026. Its "Order Id" is Shiprocket's own. Charges are in the second sheet, for the whole transfer.
  trackingNumber: 'AWB',
  amount: 'Order Value',
  reference: ['UTR', 'CRF ID'],
};
const delhivery: RemittanceList = {
  // "Remittance transactions export", in one public program that is built on a real file. "COD Amount" stands beside the amount that
  // is transferred, and it has no reference.
  trackingNumber: 'Waybill Number',
  amount: 'Amount Payable',
  order: 'Order Number',
  reference: [],
};

/** What other lists call these columns. What was transferred comes before what was collected. */
const otherHeadings: Readonly<Record<keyof RemittanceHeadings, readonly string[]>> = {
  ...courierHeadings,
  amount: [
    ...['Remitted Amount', 'Remittance Amount', 'Amount Remitted', 'Amount Payable', 'Net Amount'],
    ...['COD Amount', 'COD Value', 'Collected Amount', 'Collectable Amount', 'Amount Collected'],
    ...['Cash to collect', 'Gross Amount', 'Amount'],
  ],
  reference: [
    ...['UTR', 'UTR No', 'UTR Number', 'Remittance UTR', 'Bank Transaction ID', 'Bank Reference'],
    ...[
      'NEFT Ref',
      'Remittance No',
      'Remittance Number',
      'Remittance ID',
      'CRF ID',
      'Payment Reference',
    ],
  ],
};

/** The columns of a file by the headings of couriers. */
export function guessRemittanceHeadings(table: TableFile): RemittanceHeadings {
  const known = [shiprocket, delhivery].find(({ trackingNumber, amount }) =>
    [trackingNumber, amount].every((heading) => table.has(heading)),
  );
  return known
    ? {
        trackingNumber: known.trackingNumber,
        order: firstHeading(table, [known.order ?? '']),
        amount: known.amount,
        reference: firstHeading(table, known.reference),
      }
    : {
        trackingNumber: firstHeading(table, otherHeadings.trackingNumber),
        order: firstHeading(table, otherHeadings.order),
        amount: firstHeading(table, otherHeadings.amount),
        reference: firstHeading(table, otherHeadings.reference),
      };
}

/** Whether the columns are chosen without which nothing can be read: the amount, and one that names the parcel. */
export const areEnough = ({ trackingNumber, order, amount }: RemittanceHeadings): boolean =>
  amount !== '' && (trackingNumber !== '' || order !== '');

export interface RemittanceFile {
  rows: RemittanceRow[];
  /** Rows that cannot be read. */
  faults: TableFault[];
  /** Rows without cash, which are left out. */
  withoutCash: number;
  /** Rows that name no parcel, such as a sum at the end, which are left out. */
  withoutParcel: number;
}

/** Reads a courier's list of transferred cash by these columns. */
export function readRemittance(
  { rows: lines }: TableFile,
  headings: RemittanceHeadings,
): RemittanceFile {
  const file: RemittanceFile = { rows: [], faults: [], withoutCash: 0, withoutParcel: 0 };
  for (const { row, cell } of lines) {
    const [number, order, amount, reference] = [
      trackingNumberOf(courierCell(cell(headings.trackingNumber))),
      courierCell(cell(headings.order)),
      courierCell(cell(headings.amount)),
      courierCell(cell(headings.reference)),
    ];
    // Not 'Total' under the parcels, and not 'N/A'.
    const trackingNumber = /\d/u.test(number) ? number : '';
    const amountPaise = amount === '' ? 0 : paiseFromText(amount);
    const orderId = orderNumber(order);
    const rounded = roundedFault(trackingNumber);
    const fault = (column: string, found: string, message: string) => {
      file.faults.push({ row, column, message, found: found.slice(0, 60) });
    };
    if (trackingNumber === '' && orderId === null) file.withoutParcel += 1;
    else if (amountPaise === null)
      fault(headings.amount, amount, 'This is not an amount in rupees, such as 1,250.00.');
    else if (amountPaise === 0) file.withoutCash += 1;
    else if (rounded !== null && orderId === null)
      fault(headings.trackingNumber, trackingNumber, rounded);
    else
      file.rows.push({
        row,
        trackingNumber: rounded === null ? trackingNumber.slice(0, maxReference) : '',
        orderId,
        orderReference: referencePart(order).slice(0, maxReference),
        amountPaise,
        reference: reference.slice(0, maxReference),
      });
  }
  return file;
}
