import * as z from 'zod/mini';
import { parcel } from '../../../settings/seller.ts';
import { readPhone } from '../../../domain/checkout/phone.ts';
import { printedPin, stateOfPin } from '../../../domain/checkout/postal-code.ts';
import type { Cell } from '../../../domain/csv.ts';
import { isoDateInIndia } from '../../../domain/india-month.ts';
import type { Order } from '../../../domain/orders/order.ts';
import { recipientOf } from '../../../domain/orders/recipient.ts';
import { typedLine } from '../../../domain/typed-text.ts';

/*
 * Orders to ship as one file with the columns that the admin chooses: every courier's bulk upload has columns of its own, and names
 * them differently. The same file, with the tracking numbers filled in, is read back by the same names.
 */

/**
 * Rows of one file, in both directions. At the import the payment of each is queried at Razorpay, within the time limit of a function.
 */
export const parcelsAtOnce = 100;

/** Longest line of an address: couriers print two of them on a label. */
const maxLine = 80;

/** An address as two lines, broken between words. The second line takes the rest, so nothing is lost. */
export function addressLines(address: string): readonly [string, string] {
  const words = address
    .replace(/\s*\n\s*/gu, ', ')
    .trim()
    .split(/\s+/u);
  let count = 1;
  while (count < words.length && words.slice(0, count + 1).join(' ').length <= maxLine) count += 1;
  return [words.slice(0, count).join(' '), words.slice(count).join(' ')];
}

/** Every column by its key: the heading that the shop gives it, and its cell. */
const columns = {
  order: ['Order', ({ id }) => id],
  date: ['Order date', ({ createdAt }) => isoDateInIndia(createdAt)],
  name: ['Name', (order) => recipientOf(order).name],
  phone: [
    'Phone',
    (order) => {
      const { phone } = recipientOf(order);
      return readPhone(phone) ?? phone;
    },
  ],
  email: ['E-mail', ({ customerEmail }) => customerEmail],
  address: ['Address', ({ address }) => address.replace(/\s*\n\s*/gu, ', ')],
  line1: ['Address line 1', ({ address }) => addressLines(address)[0]],
  line2: ['Address line 2', ({ address }) => addressLines(address)[1]],
  city: ['City', ({ city }) => city],
  state: ['State', ({ postalCode }) => stateOfPin(postalCode)?.name ?? ''],
  postalCode: ['PIN code', ({ postalCode }) => printedPin(postalCode)],
  country: ['Country', () => 'India'],
  payment: ['Payment', () => 'Prepaid'],
  contents: [
    'Contents',
    ({ items }) => items.map(({ name, quantity }) => `${String(quantity)} × ${name}`).join(', '),
  ],
  units: ['Units', ({ items }) => String(items.reduce((sum, { quantity }) => sum + quantity, 0))],
  value: ['Value', ({ subtotal, discount }) => subtotal - discount],
  grams: ['Weight in g', () => String(parcel.grams)],
  kilograms: ['Weight in kg', () => String(parcel.grams / 1_000)],
  length: ['Length in cm', () => String(parcel.lengthCm)],
  breadth: ['Breadth in cm', () => String(parcel.breadthCm)],
  height: ['Height in cm', () => String(parcel.heightCm)],
  trackingNumber: ['Tracking number', () => ''],
  carrier: ['Carrier', () => ''],
} satisfies Record<string, readonly [heading: string, cell: (order: Order) => Cell]>;

export type ParcelColumnKey = keyof typeof columns;
export const parcelColumnKeys = Object.keys(columns) as ParcelColumnKey[];
/** The shop's own heading of a column. */
export const parcelHeading = (key: ParcelColumnKey): string => columns[key][0];

/** The chosen columns, with the headings of the courier's sample. */
export const parcelColumnsSchema = z
  .array(
    z.object({
      key: z.enum(parcelColumnKeys),
      heading: z
        .string()
        .check(
          typedLine(),
          z.minLength(1, 'A column has no heading.'),
          z.maxLength(80, 'A heading has at most 80 characters.'),
        ),
    }),
  )
  .check(
    z.minLength(1, 'Choose a column.'),
    z.maxLength(parcelColumnKeys.length),
    z.refine(
      (chosen) =>
        new Set(chosen.map(({ heading }) => heading.toLowerCase())).size === chosen.length,
      'Two columns have the same heading.',
    ),
  );
export type ParcelColumns = z.infer<typeof parcelColumnsSchema>;

const usual: readonly ParcelColumnKey[] = [
  'order',
  'name',
  'phone',
  'address',
  'city',
  'state',
  'postalCode',
  'contents',
  'value',
  'grams',
  'trackingNumber',
  'carrier',
];
/** The columns of a file before the admin chooses. */
export const usualParcelColumns: ParcelColumns = usual.map((key) => ({
  key,
  heading: parcelHeading(key),
}));

/** The file's rows, the headings first; one row an order. */
export const parcelFileRows = (orders: readonly Order[], chosen: ParcelColumns): Cell[][] => [
  chosen.map(({ heading }) => heading),
  ...orders.map((order) => chosen.map(({ key }) => columns[key][1](order))),
];
