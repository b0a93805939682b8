import { couriers, legal, shop } from '../../shop.config.ts';
import { seller } from '../../seller.config.ts';
import { stateOfPin } from '../checkout/postal-code.ts';
import type { Cell } from '../csv.ts';
import type { Order } from './order.ts';

/*
 * Orders to ship as files for a courier's bulk upload. Neither courier documents its columns on a public page. Both lists are
 * those on which open-source code agrees that reads or writes these files, so compare them with the courier's own sample
 * before the first upload: docs/admin-day.md says where it is.
 */

const { parcel, sender, indiaPost } = couriers;
const mobile = (phone: string): string => phone.replace(/\D/gu, '').slice(-10);
const stateName = (pin: string): string => stateOfPin(pin)?.name ?? '';

/**
 * An address as lines of about `length` characters, broken between words. The last line takes what is left, so that nothing
 * is lost.
 */
export function addressLines(address: string, count: number, length: number): string[] {
  const words = address
    .replace(/\s*\n\s*/gu, ', ')
    .trim()
    .split(/\s+/u);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || (lines.length < count && `${last} ${word}`.length > length))
      lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return Array.from({ length: count }, (_, at) => lines[at] ?? '');
}

/** '23-11-2026 14:05', in India. */
function orderMoment(createdAt: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Kolkata',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(createdAt));
  return parts.replaceAll('/', '-').replace(', ', ' ');
}

/** The columns of Shiprocket's sample file ("Add order", "Bulk order"); those with an asterisk are required. */
const shiprocketHead = [
  '*Order Id',
  'Order Date as dd-mm-yyyy hh:MM',
  '*Channel',
  '*Payment Method(COD/Prepaid)',
  '*Customer First Name',
  'Customer Last Name',
  'Email (Optional)',
  '*Customer Mobile',
  'Customer Alternate Mobile',
  '*Shipping Address Line 1',
  'Shipping Address Line 2',
  '*Shipping Address Country',
  '*Shipping Address State',
  '*Shipping Address City',
  '*Shipping Address Postcode',
  'Billing Address Line 1',
  'Billing Address Line 2',
  'Billing Address Country',
  'Billing Address State',
  'Billing Address City',
  'Billing Address Postcode',
  '*Master SKU',
  '*Product Name',
  '*Product Quantity',
  'Tax %',
  '*Selling Price(Per Unit Item, Inclusive of Tax)',
  'Discount(Per Unit Item)',
  'Shipping Charges(Per Order)',
  'COD Charges(Per Order)',
  'Gift Wrap Charges(Per Order)',
  'Total Discount (Per Order)',
  '*Length (cm)',
  '*Breadth (cm)',
  '*Height (cm)',
  '*Weight Of Shipment(kg)',
  'Send Notification(True/False)',
  'Comment',
  'HSN Code',
  'Location Id',
  'Reseller Name',
  'Company Name',
  'latitude',
  'longitude',
  'Verified Order',
  'Is documents',
  'Order Type',
  'Order tag',
];

/** One row an item. The platform fee is no price of goods, so no row has it. */
export const shiprocketRows = (orders: readonly Order[]): Cell[][] => [
  shiprocketHead,
  ...orders.flatMap((order) => {
    const [first = '', ...others] = order.customerName.trim().split(/\s+/u);
    const [line1 = '', line2 = ''] = addressLines(order.address, 2, 80);
    return order.items.map((item): Cell[] => {
      const known = new Map<string, Cell>([
        ['*Order Id', order.id],
        ['Order Date as dd-mm-yyyy hh:MM', orderMoment(order.createdAt)],
        ['*Channel', 'Custom'],
        ['*Payment Method(COD/Prepaid)', 'Prepaid'],
        ['*Customer First Name', first],
        ['Customer Last Name', others.join(' ')],
        ['Email (Optional)', order.customerEmail],
        ['*Customer Mobile', mobile(order.customerPhone)],
        ['*Shipping Address Line 1', line1],
        ['Shipping Address Line 2', line2],
        ['*Shipping Address Country', 'India'],
        ['*Shipping Address State', stateName(order.postalCode)],
        ['*Shipping Address City', order.city],
        ['*Shipping Address Postcode', order.postalCode],
        ['*Master SKU', (item.productId ?? item.name).slice(0, 50)],
        ['*Product Name', item.name],
        ['*Product Quantity', String(item.quantity)],
        ['*Selling Price(Per Unit Item, Inclusive of Tax)', item.price],
        ['Discount(Per Unit Item)', Math.round(item.discount / item.quantity)],
        ['*Length (cm)', String(parcel.lengthCm)],
        ['*Breadth (cm)', String(parcel.breadthCm)],
        ['*Height (cm)', String(parcel.heightCm)],
        ['*Weight Of Shipment(kg)', String(parcel.grams / 1_000)],
        // The shop writes to the customer itself.
        ['Send Notification(True/False)', 'False'],
        ['HSN Code', item.hsn ?? ''],
        ['Is documents', 'No'],
      ]);
      return shiprocketHead.map((column) => known.get(column) ?? '');
    });
  }),
];

/** The fields of India Post's bulk booking (`process-articles` of its customer portal), in their order. */
const indiaPostHead =
  'bulk_customer_id contract_id barcode_no pickup_or_dropoff pickup_dropoff_office_id article_type physical_weight shape_of_article length breadth_diameter height priority_flag delivery_instruction delivery_slot instruction_rts sender_name sender_company sender_add_line_1 sender_add_line_2 sender_add_line_3 sender_city sender_state sender_pincode sender_emailid sender_alt_contact sender_kyc sender_tax_reference receiver_name receiver_company receiver_add_line_1 receiver_add_line_2 receiver_add_line_3 receiver_city receiver_state receiver_pincode receiver_emailid receiver_alt_contact receiver_kyc receiver_tax_reference alt_address_flag pickup_address_flag drop_off_pincode sender_mobile_no receiver_mobile_no prepayment_code value_of_prepayment codr_cod value_for_codr_cod insurance_type value_of_insurance ack reg otp bulk_reference'.split(
    ' ',
  );

/** One row a parcel, as Speed Post. `barcode_no` is empty: the import takes the file back once the barcodes are in it. */
export const indiaPostRows = (orders: readonly Order[]): Cell[][] => [
  indiaPostHead,
  ...orders.map((order): Cell[] => {
    const [line1 = '', line2 = '', line3 = ''] = addressLines(order.address, 3, 80);
    const known: Readonly<Record<string, string>> = {
      bulk_customer_id: indiaPost.customerId,
      contract_id: indiaPost.contractId,
      pickup_or_dropoff: 'DROPOFF',
      pickup_dropoff_office_id: indiaPost.officeId,
      article_type: 'SP',
      physical_weight: String(parcel.grams),
      // A parcel that is no roll.
      shape_of_article: 'NROL',
      length: String(parcel.lengthCm),
      breadth_diameter: String(parcel.breadthCm),
      height: String(parcel.heightCm),
      sender_name: shop.name,
      sender_company: seller.legalName,
      sender_add_line_1: legal.address[0],
      sender_add_line_2: legal.address[1],
      sender_city: sender.city,
      sender_state: sender.state,
      sender_pincode: sender.postalCode,
      sender_emailid: seller.contact.emails[0],
      receiver_name: order.customerName,
      receiver_add_line_1: line1,
      receiver_add_line_2: line2,
      receiver_add_line_3: line3,
      receiver_city: order.city,
      receiver_state: stateName(order.postalCode),
      receiver_pincode: order.postalCode,
      receiver_emailid: order.customerEmail,
      alt_address_flag: 'FALSE',
      pickup_address_flag: 'FALSE',
      drop_off_pincode: sender.postalCode,
      sender_mobile_no: sender.mobile,
      receiver_mobile_no: mobile(order.customerPhone),
      ack: 'FALSE',
      reg: 'FALSE',
      otp: 'FALSE',
      bulk_reference: order.id,
    };
    return indiaPostHead.map((column) => known[column] ?? '');
  }),
];
