import { rowsPaise } from '#domain/sums/sum-rows.ts';
import { describe, expect, test } from 'vitest';
import { csvText, parseCsv } from '#domain/csv.ts';
import { orderFromRow } from '#domain/orders/order.ts';
import { parcel } from '#settings/seller.ts';
import { cashOrder, cashRow, order, withAdvance } from '#tests/features/couriers/sample-orders.ts';
import { parcelFileRows } from './courier-file.ts';
import { columnsOfSheet, courierSheets, questionsOf } from './courier-sheets.ts';

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
      of.items.reduce((total, { price, quantity }) => total + price * quantity, 0) +
      rowsPaise(of.rows, 'discount');
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
    const paid = orderFromRow({ ...cashRow, state: 'paid', payment_id: 'hand_1001' });
    expect(sheetOf('Delhivery', {}, paid).cells[0]).toMatchObject({ 'Payment Mode': 'Prepaid' });
  });

  test('asks each question once, and every heading is another one', () => {
    for (const sheet of courierSheets) {
      expect(new Set(questionsOf(sheet)).size).toBe(questionsOf(sheet).length);
      expect(new Set(sheet.columns.map(([heading]) => heading)).size).toBe(sheet.columns.length);
    }
  });
});
