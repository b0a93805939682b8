import * as z from 'zod/mini';
import { changes } from '../../../domain/admin/endpoint.ts';
import { carriers } from '../../../domain/orders/carriers.ts';
import { parcelHeading, parcelsAtOnce, type ParcelColumns } from './courier-file.ts';
import { readCsvTable, type CsvFault } from '../../../domain/admin/csv-table.ts';

/* Tracking numbers by order, from a file: the shop's own with the numbers filled in, or a table of the same columns. */

const rowSchema = z.object({
  row: z.int().check(z.minimum(1)),
  order: z.string().check(z.maxLength(200)),
  trackingNumber: z.string().check(z.maxLength(200)),
  carrier: z.string().check(z.maxLength(200)),
});
/** A row of the file as it was typed. */
export type ParcelRow = z.infer<typeof rowSchema>;

/** Body of POST /api/admin/parcels. Without `save` it only checks. */
export const parcelsRequestSchema = z.object({
  rows: z
    .array(rowSchema)
    .check(
      z.minLength(1),
      z.maxLength(parcelsAtOnce, `At most ${String(parcelsAtOnce)} parcels at once`),
    ),
  save: z.boolean(),
  /** True to ship although Razorpay did not answer whether the payments were refunded. */
  unchecked: z.optional(z.boolean()),
});
export type ParcelsRequest = z.infer<typeof parcelsRequestSchema>;

const parcelSchema = z.object({
  row: z.int(),
  order: z.int(),
  carrier: z.string(),
  trackingNumber: z.string(),
});
/** A row that can be read. */
export type Parcel = z.infer<typeof parcelSchema>;

export const parcelsAnswerSchema = z.object({
  saved: z.boolean(),
  faults: z.array(
    z.object({
      row: z.int(),
      column: z.string(),
      message: z.string(),
      found: z.optional(z.string()),
    }),
  ),
  /** The parcels that were shipped, or would be. `same`: shipped with this number already. `note`: what is odd about the invoice. */
  parcels: z.array(
    z.extend(parcelSchema, {
      customerName: z.string(),
      same: z.boolean(),
      note: z.nullable(z.string()),
    }),
  ),
});
export type ParcelsAnswer = z.infer<typeof parcelsAnswerSchema>;

const fields = ['order', 'trackingNumber', 'carrier'] as const;
type ParcelField = (typeof fields)[number];

export type ParcelFile =
  | {
      ok: true;
      rows: ParcelRow[];
      /** Rows without a tracking number, which are left out. */ empty: number;
    }
  | { ok: false; fault: CsvFault };

/**
 * Reads a file's text by the shop's own headings and those of `chosen`, the columns of the last exported file. Rows that name no carrier
 * get `carrier`. Rows without a tracking number are left out: the courier did not take these parcels.
 */
export function readParcelFile(
  text: string,
  carrier: string,
  chosen: ParcelColumns = [],
): ParcelFile {
  const columnsOf = (field: ParcelField) =>
    [
      parcelHeading(field),
      ...chosen.filter(({ key }) => key === field).map(({ heading }) => heading),
    ]
      .filter((label, at, all) => all.indexOf(label) === at)
      .map((label) => ({ label, field }));
  const trackingColumns = columnsOf('trackingNumber');
  const columns = [...columnsOf('order'), ...trackingColumns, ...columnsOf('carrier')];
  const read = readCsvTable(
    text,
    columns,
    columnsOf('order').map(({ label }) => label),
  );
  if (!read.ok) return read;
  const failed = (message: string): ParcelFile => ({
    ok: false,
    fault: { row: null, column: null, message },
  });
  if (!read.rows.some(({ cells }) => trackingColumns.some((known) => cells.has(known))))
    return failed('There is no column “Tracking number”. The first row has to name the columns.');
  const all = read.rows.map(({ row, cells }): ParcelRow => {
    const typed = (field: ParcelField): string =>
      [...cells].find(([known, cell]) => known.field === field && cell.trim() !== '')?.[1].trim() ??
      '';
    return {
      row,
      order: typed('order'),
      trackingNumber: typed('trackingNumber'),
      carrier: typed('carrier') || carrier,
    };
  });
  const rows = all.filter(({ trackingNumber }) => trackingNumber !== '');
  if (rows.length === 0) return failed('No row has a tracking number.');
  if (rows.length > parcelsAtOnce)
    return failed(
      `There are ${String(rows.length)} rows with a tracking number in this file, and ${String(parcelsAtOnce)} at most can be shipped at once. Please split it in two.`,
    );
  return { ok: true, rows, empty: all.length - rows.length };
}

/**
 * The order number in '1001', '#1001' or a reference such as 'KSV-1001-ab12cd'; null for something else. Orders keep their
 * prefix when the shop's changes, so any may be in it: `isReferenceOf` compares it with the order's own.
 */
function orderNumber(text: string): number | null {
  const digits = /^(?:#|[A-Z\d]{1,3}-)?([1-9]\d{0,14})(?:-\w+)?$/iu.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Whether a cell that `checkParcelRows` takes for an order number fits the order's reference. A bare number always does. */
export const isReferenceOf = (typed: string, reference: string): boolean =>
  !/^[A-Z\d]{1,3}-/iu.test(typed) || reference.toLowerCase().startsWith(typed.toLowerCase());

const s10Weights = [8, 6, 4, 2, 3, 5, 9, 7];
/** Whether a number is one of India Post: S10 of the Universal Postal Union, whose ninth digit checks the others. */
function isIndiaPostNumber(number: string): boolean {
  const digits = /^[A-Z]{2}(\d{9})IN$/u.exec(number)?.[1];
  if (digits === undefined) return false;
  const sum = s10Weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  const check = 11 - (sum % 11);
  return Number(digits[8]) === (check === 10 ? 0 : check === 11 ? 5 : check);
}

function trackingFault(number: string, carrier: string): string | null {
  if (number === '') return 'The tracking number is missing.';
  if (/^\d(?:\.\d+)?E\+?\d+$/iu.test(number))
    return 'The spreadsheet has rounded this number. Format its column as text and fill it in again.';
  if (!/^[A-Z0-9-]{5,40}$/u.test(number))
    return 'A tracking number has 5 to 40 letters, digits and hyphens.';
  return carrier === 'India Post' && !isIndiaPostNumber(number)
    ? 'India Post’s numbers are like EM123456785IN, and this one is mistyped.'
    : null;
}

/** Checks rows by themselves: what is written wrong, and what is there twice. */
export function checkParcelRows(rows: readonly ParcelRow[]): {
  faults: ParcelsAnswer['faults'];
  parcels: Parcel[];
} {
  const faults: ParcelsAnswer['faults'] = [];
  const parcels: Parcel[] = [];
  const orders = new Map<number, number>();
  const numbers = new Map<string, number>();
  for (const { row, order: typedOrder, trackingNumber: typed, carrier: typedCarrier } of rows) {
    const before = faults.length;
    const fault = (name: string, found: string, message: string) =>
      faults.push({ row, column: name, message, ...(found !== '' && { found }) });
    const order = orderNumber(typedOrder);
    const trackingNumber = typed.replace(/\s/gu, '').toUpperCase();
    const carrier =
      carriers.find((known) => known.toLowerCase() === typedCarrier.toLowerCase()) ?? typedCarrier;
    const firstOrder = order === null ? undefined : orders.get(order);
    const firstNumber = numbers.get(trackingNumber);
    if (order === null) fault('Order', typedOrder, 'This is not an order number, such as 1001.');
    else if (firstOrder !== undefined)
      fault('Order', typedOrder, `Row ${String(firstOrder)} has this order already.`);
    else orders.set(order, row);
    const wrong = trackingFault(trackingNumber, carrier);
    if (wrong !== null) fault('Tracking number', typed, wrong);
    else if (firstNumber !== undefined)
      fault('Tracking number', typed, `Row ${String(firstNumber)} has this number already.`);
    else numbers.set(trackingNumber, row);
    if (carrier.length < 2 || carrier.length > 80)
      fault('Carrier', typedCarrier, 'Name the carrier, in 2 to 80 characters.');
    if (order !== null && faults.length === before)
      parcels.push({ row, order, carrier, trackingNumber });
  }
  return { faults, parcels };
}

export const parcelsApi = {
  /** Tracking numbers by order: all are shipped or none. */
  ship: changes('POST', '/api/admin/parcels', parcelsRequestSchema, parcelsAnswerSchema),
};
