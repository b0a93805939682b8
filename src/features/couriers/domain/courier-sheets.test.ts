import { describe, expect, test } from 'vitest';
import { csvText, parseCsv } from '../../../domain/csv.ts';
import { readTable } from '../../../domain/admin/table-file.ts';
import { orderFromRow } from '../../../domain/orders/order.ts';
import { parcel } from '../../../settings/seller.ts';
import { eachRow } from '../../../../tests/each-row.ts';
import { hasRowPerProduct, parcelFileRows, type ParcelColumns } from './courier-file.ts';
import { columnsOfSheet, courierSheets, questionsOf } from './courier-sheets.ts';
import { guessHeadings, readParcels } from './parcels.ts';

const row = {
  id: 1001,
  created_at: '2026-11-20T20:05:00Z',
  customer_name: 'Anjali Devi Menon',
  customer_email: 'anjali@example.com',
  customer_phone: '+91 98470 12345',
  customer_address: 'House 1, Temple Road\nNear the tank',
  customer_city: 'Kochi',
  customer_postal_code: '682001',
  items: [
    { name: 'Ring · Size 14', quantity: 2, price: 1_000, product_id: 'a', size: '14', hsn: '7117' },
    { name: 'Chain', quantity: 1, price: 500, product_id: 'b' },
  ],
  subtotal_paise: 250_000,
  discount_paise: 20_000,
  total_amount: 235_428,
};
const order = orderFromRow(row);
/** Confirmed, with ₹50 for the cash in its amount. */
const cashRow = {
  ...row,
  fee_paise: 0,
  cash_charge_paise: 5_000,
  total_amount: 2_350,
  cash_paise: 235_000,
  hold_state: 'taken',
  status: 'PENDING',
};
const cashOrder = orderFromRow(cashRow);
const withAdvance = orderFromRow({ ...cashRow, cash_paise: 188_000, advance_payment_id: 'pay_1' });

/** A courier's sheet of an order, by row and heading, without empty cells. */
function sheetOf(courier: string, answers: Record<string, string> = {}, of = order) {
  const sheet = courierSheets.find((known) => known.courier === courier);
  if (!sheet) throw new Error(`No sheet of ${courier}`);
  const parsed = parseCsv(csvText(parcelFileRows([of], columnsOfSheet(sheet, answers))));
  if (!parsed.ok) throw new Error('unreadable');
  const [headings = [], ...rows] = parsed.rows;
  const cells = rows.map((row): Record<string, string> => {
    const named = headings.map((heading, at) => [heading, row[at] ?? ''] as const);
    return Object.fromEntries(named.filter(([, cell]) => cell !== ''));
  });
  return { headings, cells };
}

const measures = {
  length: String(parcel.lengthCm),
  breadth: String(parcel.breadthCm),
  height: String(parcel.heightCm),
  kilograms: String(parcel.grams / 1_000),
};

describe('the sheet of a courier', () => {
  test('Shiprocket: a row for each product with the price of one, the discount of the order, date and fixed words as its template has them', () => {
    const { headings, cells } = sheetOf('Shiprocket');
    expect(headings).toHaveLength(54);
    const shared = {
      '*Order Id': '1001',
      'Order Date as dd-mm-yyyy hh:MM': '21-11-2026 01:35',
      '*Channel': 'Custom',
      '*Payment Method(COD/Prepaid)': 'Prepaid',
      '*Customer First Name': 'Anjali',
      'Customer Last Name': 'Devi Menon',
      'Email (Optional)': 'anjali@example.com',
      '*Customer Mobile': '9847012345',
      '*Shipping Address Line 1': 'House 1, Temple Road, Near the tank',
      '*Shipping Address Country': 'India',
      '*Shipping Address State': 'Kerala',
      '*Shipping Address City': 'Kochi',
      '*Shipping Address Postcode': '682001',
      'Total Discount (Per Order)': '200.00',
      '*Partial COD (Yes/No)': 'No',
      '*Length (cm)': measures.length,
      '*Breadth (cm)': measures.breadth,
      '*Height (cm)': measures.height,
      '*Weight Of Shipment(kg)': measures.kilograms,
      'Send Notification(True/False)': 'False',
      'Verified Order': '1',
      'Is documents': 'No',
      'Order Type': 'Essentials',
    };
    expect(cells).toEqual([
      {
        ...shared,
        '*Master SKU': 'a_14',
        '*Product Name': 'Ring · Size 14',
        '*Product Quantity': '2',
        '*Selling Price(Per Unit Item, Inclusive of Tax)': '1000.00',
        'HSN Code': '7117',
      },
      {
        ...shared,
        '*Master SKU': 'b',
        '*Product Name': 'Chain',
        '*Product Quantity': '1',
        '*Selling Price(Per Unit Item, Inclusive of Tax)': '500.00',
      },
    ]);
  });

  test('Delhivery: the pickup location that only the admin knows, weight in grams, a row for each product', () => {
    const { cells } = sheetOf('Delhivery', {
      'Pickup location, as in Delhivery One': 'Kochi shop',
      'Transport mode: Surface or Express': 'Surface',
    });
    expect(cells[0]).toEqual({
      'Sale Order Number': '1001',
      'Pickup Location Name': 'Kochi shop',
      'Transport Mode': 'Surface',
      'Payment Mode': 'Prepaid',
      'Customer Name': 'Anjali Devi Menon',
      'Customer Phone': '9847012345',
      'Shipping Address Line1': 'House 1, Temple Road, Near the tank',
      'Shipping City': 'Kochi',
      'Shipping State': 'Kerala',
      'Shipping Pincode': '682001',
      'Item Sku Code': 'a_14',
      'Item Sku Name': 'Ring · Size 14',
      'Quantity Ordered': '2',
      'Unit Item Price': '1000.00',
      'Length (cm)': measures.length,
      'Breadth (cm)': measures.breadth,
      'Height (cm)': measures.height,
      'Weight (gm)': String(parcel.grams),
    });
    expect(cells).toHaveLength(2);
  });

  test('Blue Dart: a row for each parcel with its declared value', () => {
    const { headings, cells } = sheetOf('Blue Dart', { 'Billing area': 'COK' });
    expect(headings).toHaveLength(35);
    expect(cells).toMatchObject([
      {
        'Reference No *': '1001',
        'Billing Area *': 'COK',
        'Delivery address *': 'House 1, Temple Road, Near the tank',
        'Product Type *': 'NDOX',
        'Piece Count *': '1',
        'Actual Weight *': measures.kilograms,
        'Declared Value': '2300.00',
        'Receiver mobile': '9847012345',
        'Commodity Detail 1': '2 × Ring · Size 14, 1 × Chain',
      },
    ]);
  });

  test('Shiprocket collects the whole amount of a cash order, charges included, or what the advance leaves of it', () => {
    const { headings, cells } = sheetOf('Shiprocket', {}, cashOrder);
    expect(headings).toHaveLength(54);
    expect(cells[0]).toMatchObject({
      '*Payment Method(COD/Prepaid)': 'COD',
      'COD Charges(Per Order)': '50.00',
      'Total Discount (Per Order)': '200.00',
      '*Partial COD (Yes/No)': 'No',
    });
    expect(cells[0]).not.toHaveProperty(['Paid Amount (Rs.)']);
    expect(sheetOf('Shiprocket', {}, withAdvance).cells[0]).toMatchObject({
      '*Payment Method(COD/Prepaid)': 'COD',
      'COD Charges(Per Order)': '50.00',
      '*Partial COD (Yes/No)': 'Yes',
      'Paid Amount (Rs.)': '470.00',
    });
    const sum = (of: typeof order): number =>
      of.items.reduce((total, { price, quantity }) => total + price * quantity, 0) - of.discount;
    expect(sum(cashOrder) + 5_000).toBe(cashOrder.amount);
  });

  test('Delhivery has the amount to collect, with and without an advance', () => {
    for (const [of, amount] of [
      [cashOrder, '2350.00'],
      [withAdvance, '1880.00'],
    ] as const)
      expect(sheetOf('Delhivery', {}, of).cells[0]).toMatchObject({
        'Payment Mode': 'COD',
        'COD Amount': amount,
      });
  });

  test('Blue Dart has another sheet for cash, in which a paid parcel is of the other kind', () => {
    const courier = 'Blue Dart, with cash on delivery';
    const { headings, cells } = sheetOf(courier, {}, withAdvance);
    expect(headings).toHaveLength(45);
    expect(cells).toMatchObject([
      {
        'Reference No *': '1001',
        'Sub Product Code': 'C',
        'Declared Value': '2300.00',
        'Collectable Amount': '1880.00',
      },
    ]);
    const [paid] = sheetOf(courier).cells;
    expect(paid).toMatchObject({ 'Sub Product Code': 'P' });
    expect(paid).not.toHaveProperty(['Collectable Amount']);
  });

  test('a cash order whose cash is there is a paid parcel', () => {
    const paid = orderFromRow({ ...cashRow, status: 'COMPLETED', payment_id: 'hand_1001' });
    expect(sheetOf('Delhivery', {}, paid).cells[0]).toMatchObject({ 'Payment Mode': 'Prepaid' });
  });

  test('asks each question once, and every heading is another one', () => {
    for (const sheet of courierSheets) {
      expect(new Set(questionsOf(sheet)).size).toBe(questionsOf(sheet).length);
      expect(new Set(sheet.columns.map(([heading]) => heading)).size).toBe(sheet.columns.length);
    }
  });
});

test('columns of one’s own have a fixed text, the date as the courier wants it, and a row for each order until one is of a product', () => {
  const columns: ParcelColumns = [
    { key: 'order', heading: 'Ref' },
    { key: 'date', heading: 'Date', text: '05/12/2026' },
    { key: 'fixed', heading: 'Service', text: 'SPEED POST' },
  ];
  expect(parcelFileRows([order], columns).slice(1)).toEqual([['1001', '21/11/2026', 'SPEED POST']]);
  expect(
    parcelFileRows(
      [order, cashOrder],
      [
        { key: 'payment', heading: 'Mode' },
        { key: 'cash', heading: 'Cash to collect' },
      ],
    ).slice(1),
  ).toEqual([
    ['Prepaid', null],
    ['COD', 235_000],
  ]);
  expect(hasRowPerProduct([...columns, { key: 'quantity', heading: 'Qty' }])).toBe(true);
  const bare = orderFromRow({ id: 7, created_at: '2026-11-20T20:05:00Z', items: [] });
  expect(parcelFileRows([bare], columns)).toHaveLength(2);
});

test('the list that a courier gives back is read by its own headings', () =>
  eachRow(
    [
      [
        'Order ID,Shiprocket Created At,Channel,Status,Product Name,Courier Company,AWB Code\n1001,27-11-2026,CUSTOM,READY TO SHIP,Ring,Delhivery Surface,1490812345678\n1001,27-11-2026,CUSTOM,READY TO SHIP,Chain,Delhivery Surface,1490812345678\n',
        { trackingNumber: '1490812345678', carrier: 'Delhivery Surface' },
      ],
      [
        'Waybill,Reference No,Consignee Name,Pincode,Payment Mode,Status\n1490812345678,1001,Anjali Menon,682001,Pre-paid,Manifested\n',
        { trackingNumber: '1490812345678', carrier: 'DTDC' },
      ],
      [
        'SL NO,ARTICLE NUMBER,BARCODE NO,REF,ADDRESSEE NAME,PIN\n1,EM123456785IN,EM123456785IN,1001,Anjali Menon,682001\n',
        { trackingNumber: 'EM123456785IN', carrier: 'DTDC' },
      ],
      [
        'Reference No *,Billing Area *,AWB No,Status\n1001,COK,90128761682,Success\n',
        { trackingNumber: '90128761682', carrier: 'DTDC' },
      ],
      [
        'Consignment No,Customer Reference Number\nD12345678,1001\n',
        { trackingNumber: 'D12345678', carrier: 'DTDC' },
      ],
    ] as const,
    ([text, expected]) => {
      const file = readTable(parseCsv(text), 100);
      if (!file.ok) throw new Error(file.fault.message);
      expect(readParcels(file.table, guessHeadings(file.table), 'DTDC')).toMatchObject({
        ok: true,
        rows: [{ row: 2, order: '1001', ...expected }],
        empty: 0,
      });
    },
  ));
