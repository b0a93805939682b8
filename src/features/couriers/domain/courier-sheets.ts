import type { ParcelColumnKey, ParcelColumns } from './courier-file.ts';

/*
 * The bulk sheets of couriers as they come out of their panels: headings in their order, fixed words and the form of dates. No courier
 * publishes its sheet outside the panel; beside each stands what it was read from, on 28 November 2026. No sheet of DTDC and Shree Maruti
 * could be found, and India Post's wants a barcode of the shop's own series in each row: their files are made with columns of one's own
 * (docs/admin-day.md, docs/provider-facts.md).
 */

/**
 * A column: what it holds, with the text of a fixed one, the form of a date or the words for a payment; a question to the admin; or a
 * text for every parcel.
 */
type SheetColumn =
  | ParcelColumnKey
  | readonly [key: ParcelColumnKey, text: string]
  | { ask: string }
  | { text: string };

export interface CourierSheet {
  courier: string;
  /** Only a shop whose orders can be paid at the door needs it. */
  isForCash?: true;
  columns: readonly (readonly [heading: string, column: SheetColumn])[];
}

const empty = { text: '' };

/*
 * The template's 54 columns, alike in three public programs that fill it in. Nothing documents its amounts. A fourth program writes 0 as
 * the paid amount for COD, and the whole amount for a paid order, so with `*Partial COD` it is the advance. The charges of the order
 * stand beside the prices, or the sum of the sheet, of which the courier collects what is not paid, would be too small.
 */
const shiprocket: CourierSheet = {
  courier: 'Shiprocket',
  columns: [
    ['*Order Id', 'order'],
    ['Order Date as dd-mm-yyyy hh:MM', ['date', '05-12-2026 14:30']],
    ['*Channel', { text: 'Custom' }],
    ['*Payment Method(COD/Prepaid)', 'payment'],
    ['*Customer First Name', 'firstName'],
    ['Customer Last Name', 'lastName'],
    ['Email (Optional)', 'email'],
    ['*Customer Mobile', 'phone'],
    ['Customer Alternate Mobile', empty],
    ['*Shipping Address Line 1', 'line1'],
    ['Shipping Address Line 2', 'line2'],
    ['*Shipping Address Country', 'country'],
    ['*Shipping Address State', 'state'],
    ['*Shipping Address City', 'city'],
    ['*Shipping Address Postcode', 'postalCode'],
    ['Billing Address Line 1', empty],
    ['Billing Address Line 2', empty],
    ['Billing Address Country', empty],
    ['Billing Address State', empty],
    ['Billing Address City', empty],
    ['Billing Address Postcode', empty],
    ['*Master SKU', 'sku'],
    ['*Product Name', 'product'],
    ['*Product Quantity', 'quantity'],
    ['Tax %', empty],
    ['*Selling Price(Per Unit Item, Inclusive of Tax)', 'unitPrice'],
    ['Discount(Per Unit Item)', empty],
    ['Shipping Charges(Per Order)', empty],
    ['COD Charges(Per Order)', 'charges'],
    ['Gift Wrap Charges(Per Order)', empty],
    ['Total Discount (Per Order)', 'discount'],
    ['*Partial COD (Yes/No)', 'hasAdvance'],
    ['Paid Amount (Rs.)', 'advance'],
    ['*Length (cm)', 'length'],
    ['*Breadth (cm)', 'breadth'],
    ['*Height (cm)', 'height'],
    ['*Weight Of Shipment(kg)', 'kilograms'],
    ['Send Notification(True/False)', { text: 'False' }],
    ['Comment', empty],
    ['HSN Code', 'hsn'],
    ['Location Id', empty],
    ['Reseller Name', empty],
    ['Company Name', empty],
    ['latitude', empty],
    ['longitude', empty],
    ['Verified Order', { text: '1' }],
    ['Is documents', { text: 'No' }],
    ['Order Type', { text: 'Essentials' }],
    ['Order tag', empty],
    ['Fulfillment Tat', empty],
    ['Appointment Date', empty],
    ['Order Channel', empty],
    ['Po Expiry Date', empty],
    ['Po Units', empty],
  ],
};

/* Alike in two public programs, one that writes and one that reads it. */
const delhivery: CourierSheet = {
  courier: 'Delhivery',
  columns: [
    ['Sale Order Number', 'order'],
    ['Pickup Location Name', { ask: 'Pickup location, as in Delhivery One' }],
    ['Transport Mode', { ask: 'Transport mode: Surface or Express' }],
    ['Payment Mode', 'payment'],
    ['COD Amount', 'cash'],
    ['Customer Name', 'name'],
    ['Customer Phone', 'phone'],
    ['Shipping Address Line1', 'line1'],
    ['Shipping Address Line2', 'line2'],
    ['Shipping City', 'city'],
    ['Shipping State', 'state'],
    ['Shipping Pincode', 'postalCode'],
    ['Item Sku Code', 'sku'],
    ['Item Sku Name', 'product'],
    ['Quantity Ordered', 'quantity'],
    ['Packaging Type', empty],
    ['Unit Item Price', 'unitPrice'],
    ['Length (cm)', 'length'],
    ['Breadth (cm)', 'breadth'],
    ['Height (cm)', 'height'],
    ['Weight (gm)', 'grams'],
    ['Fragile Shipment', empty],
    ['Discount Type', empty],
    ['Discount Value', empty],
    ['Tax Class Code', empty],
  ],
};

/* The sheet is that of one public program which fills it in. Blue Dart writes the last eleven columns itself, so they are left out. */
const blueDart: CourierSheet = {
  courier: 'Blue Dart',
  columns: [
    ['Reference No *', 'order'],
    ['Billing Area *', { ask: 'Billing area' }],
    ['Billing Customer Code', { ask: 'Billing customer code' }],
    ['Pickup Date *', { ask: 'Pickup date, as in Blue Dart’s sample' }],
    ['Pickup Time', { ask: 'Pickup time, such as 1600' }],
    ['Shipper Name', { ask: 'Shipper’s name' }],
    ['Pickup address *', { ask: 'Pickup address' }],
    ['Pickup pincode *', { ask: 'Pickup PIN code' }],
    ['Company Name *', 'name'],
    ['Delivery address *', 'address'],
    ['Delivery Pincode *', 'postalCode'],
    ['Product Code *', { ask: 'Product code, as in your contract' }],
    ['Product Type *', { text: 'NDOX' }],
    ['Pack Type', empty],
    ['Piece Count *', { text: '1' }],
    ['Actual Weight *', 'kilograms'],
    ['Declared Value', 'value'],
    ['Register Pickup', empty],
    ['Length', 'length'],
    ['Breadth', 'breadth'],
    ['Height', 'height'],
    ['To Pay Customer', empty],
    ['Sender', empty],
    ['Sender mobile', empty],
    ['Receiver Telephone', empty],
    ['Receiver mobile', 'phone'],
    ['Receiver Name', 'name'],
    ['Special Instruction', empty],
    ['Commodity Detail 1', 'contents'],
    ['Commodity Detail 2', empty],
    ['Commodity Detail 3', empty],
    ['Reference No 2', empty],
    ['Reference No 3', empty],
    ['OTP Based Delivery', empty],
    ['Office Closure time', empty],
  ],
};

/*
 * Another public program fills in this one, which has the amount to collect; the sheet above has none. The sub product code is C for
 * COD and P for a paid parcel, as in six public programs that call Blue Dart's API. Blue Dart writes the last eleven columns itself.
 */
const blueDartCash: CourierSheet = {
  courier: 'Blue Dart, with cash on delivery',
  isForCash: true,
  columns: [
    ['Reference No *', 'order'],
    ['Billing Area', { ask: 'Billing area' }],
    ['Billing Customer Code *', { ask: 'Billing customer code' }],
    ['Pickup Date', { ask: 'Pickup date, as in Blue Dart’s sample' }],
    ['Pickup Time', { ask: 'Pickup time, such as 1600' }],
    ['Shipper Name', { ask: 'Shipper’s name' }],
    ['Pickup Address *', { ask: 'Pickup address' }],
    ['Pickup Pincode *', { ask: 'Pickup PIN code' }],
    ['Company Name', 'name'],
    ['Delivery Address *', 'address'],
    ['Delivery Pincode *', 'postalCode'],
    ['Product Code *', { ask: 'Product code, as in your contract' }],
    ['Product Type *', { text: 'NDOX' }],
    ['Sub Product Code', ['payment', 'C/P']],
    ['Pack Type', empty],
    ['Piece Count *', { text: '1' }],
    ['Actual Weight *', 'kilograms'],
    ['Declared Value', 'value'],
    ['Register Pickup', empty],
    ['Length', 'length'],
    ['Breadth', 'breadth'],
    ['Height', 'height'],
    ['To Pay Customer', empty],
    ['Sender', empty],
    ['Vendor Code', empty],
    ['Sender Mobile', empty],
    ['Receiver Telephone', empty],
    ['Receiver Mobile', 'phone'],
    ['Receiver Name', 'name'],
    ['Receiver Email ID', empty],
    ['Receiver Latitude', empty],
    ['Receiver Longitude', empty],
    ['Receiver Masked Contact Number', empty],
    ['Invoice Number', empty],
    ['Special Instruction', empty],
    ['Collectable Amount', 'cash'],
    ['Commodity Detail 1', 'contents'],
    ['Commodity Detail 2', empty],
    ['Commodity Detail 3', empty],
    ['Is Reverse Pickup', empty],
    ['Reference No 2', empty],
    ['Reference No 3', empty],
    ['Item Count', empty],
    ['OTP Based Delivery', empty],
    ['Office Closure Time', empty],
  ],
};

/** The couriers whose sheet is known. */
export const courierSheets: readonly CourierSheet[] = [
  shiprocket,
  delhivery,
  blueDart,
  blueDartCash,
];

/** What only the admin knows, one answer for all parcels. */
export const questionsOf = ({ columns }: CourierSheet): string[] =>
  columns.flatMap(([, column]) =>
    typeof column === 'object' && 'ask' in column ? [column.ask] : [],
  );

/** The columns of a courier's sheet with the admin's answers. */
export const columnsOfSheet = (
  { columns }: CourierSheet,
  answers: Readonly<Record<string, string>>,
): ParcelColumns =>
  columns.map(([heading, column]) => {
    if (typeof column === 'string') return { key: column, heading };
    if ('ask' in column) return { key: 'fixed', heading, text: answers[column.ask] ?? '' };
    if ('text' in column) return { key: 'fixed', heading, text: column.text };
    return { key: column[0], heading, text: column[1] };
  });
