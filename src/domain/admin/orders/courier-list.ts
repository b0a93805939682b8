import { tidyLine } from '#domain/typed-text.ts';
import type { TableFile } from '#domain/admin/table-file.ts';

/* What the lists have in common that couriers give out: of parcels with their tracking numbers, and of cash. */

/**
 * What couriers call these columns in their own lists (docs/provider-facts.md). India Post repeats its article number as a barcode.
 */
export const courierHeadings = {
  order: [
    ...['Order', 'Order ID', 'Order No', 'Order Number', 'Reference No', 'Reference Number', 'Ref'],
    ...['Reference', 'Ref No', 'Customer Reference Number', 'Customer Ref No'],
    ...['Credit Reference No', 'Client Reference', 'Invoice No', 'Sub Order No'],
  ],
  trackingNumber: [
    ...['Tracking number', 'AWB Code', 'AWB', 'AWB No', 'AWB Number', 'Airwaybill No', 'Waybill'],
    ...['Waybill No', 'Waybill Number', 'Article Number', 'Barcode No', 'Consignment No'],
    ...['Consignment Number', 'CN No', 'Docket No', 'Docket Number', 'Tracking ID', 'Tracking No'],
  ],
} as const satisfies Record<string, readonly string[]>;

/** The first of these headings that a file has; '' without any. */
export const firstHeading = ({ has }: TableFile, headings: readonly string[]): string =>
  headings.find((heading) => has(heading)) ?? '';

/** The text of a cell. Couriers write numbers as ="1490…" or '1490…, so that a spreadsheet keeps all digits. */
export const courierCell = (text: string): string =>
  tidyLine(text)
    .replace(/^="(.*)"$/u, '$1')
    .replace(/^'/u, '')
    .trim();

/**
 * The order number in '1001', '#1001' or a reference such as 'KSV-1001-ab12cd'; null for something else. Orders keep their
 * prefix when the shop's changes, so any may be in it.
 */
export function orderNumber(text: string): number | null {
  const digits = /^(?:#|[A-Z\d]{1,3}-)?([1-9]\d{0,14})(?:-\w+)?$/iu.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The part of a cell that only one shop's order can have, such as 'KSV-1001-ab12cd'; '' for a plain order number. */
export const referencePart = (text: string): string => (/^[A-Z\d]{1,3}-/iu.test(text) ? text : '');

/** A tracking number as couriers write it, without the spaces of a print. */
export const trackingNumberOf = (text: string): string => text.replace(/\s/gu, '').toUpperCase();

/** What a spreadsheet makes of a long number whose column is not text, '1.49E+12'; null for anything else. */
export const roundedFault = (trackingNumber: string): string | null =>
  /^\d(?:\.\d+)?E\+?\d+$/iu.test(trackingNumber)
    ? 'The spreadsheet has rounded this number. Format its column as text and fill it in again.'
    : null;
