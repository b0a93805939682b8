import * as z from 'zod/mini';
import { changes } from '#domain/admin/endpoint.ts';
import {
  courierCell,
  courierHeadings,
  firstHeading,
  orderNumber,
  roundedFault,
  referencePart,
  trackingNumberOf,
} from '#domain/admin/orders/courier-list.ts';
import { carriers } from '#domain/orders/carriers.ts';
import { parcelsAtOnce, type ParcelColumns } from './courier-file.ts';
import type { TableFault, TableFile } from '#domain/admin/table-file.ts';

/* Tracking numbers by order, from a file: the shop's own with the numbers filled in, or a courier's own list. */

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

/** The headings of a file's columns; '' for one that it lacks. */
export interface ParcelHeadings {
  order: string;
  trackingNumber: string;
  carrier: string;
}

const knownHeadings: Readonly<Record<keyof ParcelHeadings, readonly string[]>> = {
  ...courierHeadings,
  carrier: ['Carrier', 'Courier Company', 'Courier', 'Courier Name', 'Courier Partner'],
};

/** The columns of a file by the headings of the last exported file, `chosen`, and by those of couriers. */
export function guessHeadings(table: TableFile, chosen: ParcelColumns = []): ParcelHeadings {
  const headingOf = (field: keyof ParcelHeadings): string =>
    firstHeading(table, [
      ...chosen.filter(({ key }) => key === field).map(({ heading }) => heading),
      ...knownHeadings[field],
    ]);
  return {
    order: headingOf('order'),
    trackingNumber: headingOf('trackingNumber'),
    carrier: headingOf('carrier'),
  };
}

export type ParcelFile =
  | {
      ok: true;
      rows: ParcelRow[];
      /** Rows without a tracking number, which are left out. */ empty: number;
    }
  | { ok: false; fault: TableFault };

/**
 * Reads the parcels of a file. Rows that name no carrier get `carrier`. Rows without a tracking number are left out: the courier did
 * not take these parcels. An order in several rows with one number, a product each, is one parcel.
 */
export function readParcels(
  { rows: lines }: TableFile,
  headings: ParcelHeadings,
  carrier: string,
): ParcelFile {
  const failed = (message: string): ParcelFile => ({
    ok: false,
    fault: { row: null, column: null, message },
  });
  const all = lines.map(({ row, cell }): ParcelRow => ({
    row,
    order: courierCell(cell(headings.order)),
    trackingNumber: courierCell(cell(headings.trackingNumber)),
    carrier: courierCell(cell(headings.carrier)) || carrier,
  }));
  const numbered = all.filter(({ trackingNumber }) => trackingNumber !== '');
  const rows = numbered.filter(
    ({ order, trackingNumber }, at) =>
      at ===
      numbered.findIndex((one) => one.order === order && one.trackingNumber === trackingNumber),
  );
  if (rows.length === 0) return failed('No row has a tracking number.');
  if (rows.length > parcelsAtOnce)
    return failed(
      `There are ${String(rows.length)} rows with a tracking number in this file, and ${String(parcelsAtOnce)} at most can be shipped at once. Please make several files of it.`,
    );
  return { ok: true, rows, empty: all.length - numbered.length };
}

/** Whether a cell that `checkParcelRows` takes for an order number fits the order's reference. A bare number always does. */
export const isReferenceOf = (typed: string, reference: string): boolean =>
  reference.toLowerCase().startsWith(referencePart(typed).toLowerCase());

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
  const rounded = roundedFault(number);
  if (rounded !== null) return rounded;
  if (!/^(?=.*\d)[A-Z0-9-]{5,40}$/u.test(number))
    return 'A tracking number has 5 to 40 letters, digits and hyphens, one digit at least.';
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
    const trackingNumber = trackingNumberOf(typed);
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
