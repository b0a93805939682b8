import * as z from 'zod/mini';
import { parcel } from '#settings/seller.ts';
import { readPhone } from '#domain/checkout/phone.ts';
import { printedPin, stateOfPin } from '#domain/checkout/postal-code.ts';
import { sku } from '#domain/catalogue/sku.ts';
import type { Cell } from '#domain/csv.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { cashToCollect } from '#domain/orders/order-cash.ts';
import type { Order, OrderItem } from '#domain/orders/order.ts';
import { chargeRows, rowsPaise } from '#domain/sums/sum-rows.ts';
import { recipientOf } from '#domain/orders/recipient.ts';
import { typedLine } from '#domain/typed-text.ts';

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

const oneLine = (text: string): string => text.replace(/\s*\n\s*/gu, ', ');

/** How a date can be written, by an example. */
export const dateForms = ['2026-12-05', '05-12-2026', '05/12/2026', '05-12-2026 14:30'] as const;

/** A moment's day in India as `form` shows it. */
function dateText(moment: string, form: string): string {
  const [year = '', month = '', day = ''] = isoDateInIndia(moment).split('-');
  if (day === '') return '';
  if (form === '05/12/2026') return `${day}/${month}/${year}`;
  if (!form.startsWith('05-12')) return `${year}-${month}-${day}`;
  const time = new Date(Date.parse(moment) + 5.5 * 3_600_000).toISOString().slice(11, 16);
  return `${day}-${month}-${year}${form.endsWith(':30') ? ` ${time}` : ''}`;
}

/**
 * What a column says: of the order, or of one of its products. `text` is the column's own: a fixed text, the form of a date, or the
 * words for cash and for a paid parcel.
 */
type CellOf = (order: Order, item: OrderItem, text: string) => Cell;

/** A courier's words for a parcel with cash to collect and for a paid one, as the text of a column; some have others. */
const usualPaymentWords = 'COD/Prepaid';

/** What is paid of a parcel with cash to collect, in paise: the advance. 0 for a paid parcel, too. */
const advanceOf = (order: Order): number => {
  const cash = cashToCollect(order);
  return cash === null ? 0 : order.amount - cash;
};

/** Columns of one product each: a file with one of them has a row for each product. Prices are those of one unit. */
const ofProduct = {
  product: ['Product', (_, { name }) => name],
  sku: ['SKU', (_, { productId, size }) => (productId === null ? '' : sku(productId, size))],
  quantity: ['Quantity', (_, { quantity }) => String(quantity)],
  unitPrice: ['Price of one unit', (_, { price }) => price],
  hsn: ['HSN code', (_, { hsn }) => hsn ?? ''],
} satisfies Record<string, readonly [heading: string, cell: CellOf]>;

/** Every column by its key: the heading that the shop gives it, and its cell. */
const columns = {
  order: ['Order', ({ id }) => id],
  date: ['Order date', ({ createdAt }, _, form) => dateText(createdAt, form)],
  name: ['Name', (order) => recipientOf(order).name],
  firstName: ['First name', (order) => recipientOf(order).name.split(' ', 1)[0] ?? ''],
  lastName: ['Last name', (order) => recipientOf(order).name.split(' ').slice(1).join(' ')],
  phone: [
    'Phone',
    (order) => {
      const { phone } = recipientOf(order);
      return readPhone(phone) ?? phone;
    },
  ],
  email: ['E-mail', ({ customerEmail }) => customerEmail],
  address: ['Address', ({ address }) => oneLine(address)],
  line1: ['Address line 1', ({ address }) => addressLines(address)[0]],
  line2: ['Address line 2', ({ address }) => addressLines(address)[1]],
  city: ['City', ({ city }) => city],
  state: ['State', ({ postalCode }) => stateOfPin(postalCode)?.name ?? ''],
  postalCode: ['PIN code', ({ postalCode }) => printedPin(postalCode)],
  country: ['Country', () => 'India'],
  payment: [
    'Payment',
    (order, _, words) => {
      const [cash, paid] = (words === '' ? usualPaymentWords : words).split('/');
      return (cashToCollect(order) === null ? paid : cash) ?? '';
    },
  ],
  contents: [
    'Contents',
    ({ items }) => items.map(({ name, quantity }) => `${String(quantity)} × ${name}`).join(', '),
  ],
  units: ['Units', ({ items }) => String(items.reduce((sum, { quantity }) => sum + quantity, 0))],
  value: ['Value', ({ rows, amount }) => amount - rowsPaise(chargeRows(rows))],
  discount: ['Discount', ({ rows }) => -rowsPaise(rows, 'discount')],
  cash: ['Cash to collect', cashToCollect],
  charges: [
    'Charges of a cash order',
    (order) => (cashToCollect(order) === null ? null : rowsPaise(chargeRows(order.rows))),
  ],
  hasAdvance: ['Part is paid', (order) => (advanceOf(order) > 0 ? 'Yes' : 'No')],
  advance: ['Paid in advance', (order) => advanceOf(order) || null],
  ...ofProduct,
  grams: ['Weight in g', () => String(parcel.grams)],
  kilograms: ['Weight in kg', () => String(parcel.grams / 1_000)],
  length: ['Length in cm', () => String(parcel.lengthCm)],
  breadth: ['Breadth in cm', () => String(parcel.breadthCm)],
  height: ['Height in cm', () => String(parcel.heightCm)],
  trackingNumber: ['Tracking number', () => ''],
  carrier: ['Carrier', () => ''],
  fixed: ['Fixed text', (_, __, text) => text],
} satisfies Record<string, readonly [heading: string, cell: CellOf]>;

export type ParcelColumnKey = keyof typeof columns;
export const parcelColumnKeys = Object.keys(columns) as ParcelColumnKey[];
/** Columns that are empty, or say No, unless orders can be paid at the door. */
export const cashColumnKeys: readonly ParcelColumnKey[] = [
  'cash',
  'charges',
  'hasAdvance',
  'advance',
];
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
      /** A fixed text, the form of a date, or the words for a payment. */
      text: z.optional(
        z.string().check(typedLine(), z.maxLength(80, 'A fixed text has at most 80 characters.')),
      ),
    }),
  )
  .check(
    z.minLength(1, 'Choose a column.'),
    z.maxLength(80),
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

/** Whether a file with these columns has a row for each product of an order. */
export const hasRowPerProduct = (chosen: ParcelColumns): boolean =>
  chosen.some(({ key }) => key in ofProduct);

/** Stands for the products of an order that was imported without them. */
const noItem: OrderItem = {
  name: '',
  quantity: 0,
  price: 0,
  lineTotal: 0,
  discount: 0,
  estimated: false,
  productId: null,
  image: null,
  category: null,
  hsn: null,
};

/** The file's rows, the headings first; one row an order, or one a product. */
export function parcelFileRows(orders: readonly Order[], chosen: ParcelColumns): Cell[][] {
  const rowOf = (order: Order, item: OrderItem): Cell[] =>
    chosen.map(({ key, text = '' }) => {
      const cellOf: CellOf = columns[key][1];
      return cellOf(order, item, text);
    });
  return [
    chosen.map(({ heading }) => heading),
    ...orders.flatMap((order) => {
      const [first = noItem, ...others] = order.items;
      return [first, ...(hasRowPerProduct(chosen) ? others : [])].map((item) => rowOf(order, item));
    }),
  ];
}
