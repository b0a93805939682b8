import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guessedMapping, priceQuestionOf } from './guess-columns.ts';
import { priceKindOf } from './price-headings.ts';

/** What the columns of a list are guessed to be, without those that are not read. */
const guessed = (headings: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(guessedMapping(headings.split('|'))).filter(([, field]) => field !== ''),
  );

describe('the price of a list', () => {
  test.each([
    ['Cost Price|Selling Price', { 'Selling Price': 'Price' }],
    ['Cost|MRP', { MRP: 'Price' }],
    ['Purchase Price|MRP|Sale Price', { MRP: 'Price', 'Sale Price': 'Offer price' }],
    ['Price (excl GST)|Price (incl GST)', { 'Price (incl GST)': 'Price' }],
    ['Price without tax|Rate', { Rate: 'Price' }],
    ['Price|MRP', { MRP: 'Price', Price: 'Offer price' }],
    ['Offer Price|Price', { 'Offer Price': 'Offer price', Price: 'Price' }],
    ['Wholesale rate|Landed cost|Buying price|Price ex tax', {}],
    ['Rate|Amount', {}],
    ['Price|Regular price|Sale price', {}],
    ['Discount %|Price', { Price: 'Price' }],
    ['GST|Tax amount|Unit Price (₹)', { 'Unit Price (₹)': 'Price' }],
    ['M.R.P.|costPrice|sellingprice', { 'M.R.P.': 'Price', sellingprice: 'Offer price' }],
    ['क्रय मूल्य|मूल्य', { मूल्य: 'Price' }],
  ])('of %s is %j', (headings, expected) => {
    expect(guessed(headings)).toEqual(expected);
  });

  test('does not depend on the order of the columns, and is never what the shop paid', () => {
    const headings = [
      'MRP',
      'Selling price',
      'Cost price',
      'Wholesale rate',
      'Price excl GST',
      'Qty',
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(headings), (some) => {
        const mapping = new Map(Object.entries(guessedMapping(some)));
        for (const heading of ['Cost price', 'Wholesale rate', 'Price excl GST'])
          expect(mapping.get(heading) ?? '').toBe('');
        if (some.includes('MRP')) expect(mapping.get('MRP')).toBe('Price');
        else if (some.includes('Selling price')) expect(mapping.get('Selling price')).toBe('Price');
      }),
    );
  });

  test('is asked for unless the column has the shop’s own name, and nothing else could be it', () => {
    for (const headings of ['Name|Rate', 'Name|Price|MRP', 'Name|Rate|Amount', 'Name|Cost'])
      expect(priceQuestionOf(headings.split('|')), headings).not.toBeNull();
    for (const headings of ['Name|Price', 'Name|Price|Offer price|Cost', 'ID|Stock'])
      expect(priceQuestionOf(headings.split('|')), headings).toBeNull();
    expect(priceQuestionOf(['Name', 'Cost', 'Rate', 'Amount'])).toEqual({
      columns: ['Rate', 'Amount', 'Cost'],
      several: ['Rate', 'Amount'],
    });
  });

  test('is not spoken of by a heading without an amount', () => {
    for (const heading of ['GST', 'Discount', 'Country of Origin', 'Vendor', 'Trade name', 'Name'])
      expect(priceKindOf(heading), heading).toBeNull();
  });
});

describe('a column', () => {
  test.each([
    [
      'Particulars|Group|Rate|Closing Qty',
      { Particulars: 'Name', Group: 'Category', Rate: 'Price', 'Closing Qty': 'Stock' },
    ],
    [
      'Name|Country of Origin|Quantity',
      { Name: 'Name', 'Country of Origin': 'Origin', Quantity: 'Stock' },
    ],
    ['Product|Count per pack|Closing Stock', { Product: 'Name', 'Closing Stock': 'Stock' }],
    ['Count|Stock', { Stock: 'Stock' }],
    ['Item|Item Description', { Item: 'Name', 'Item Description': 'Description' }],
    ['Item Description|SKU', { 'Item Description': 'Name' }],
    [
      'Product Details|Design',
      { 'Product Details': 'Name', Design: 'One product (rows with the same text)' },
    ],
    ['product_type|categories', { categories: 'Category' }],
    ['नाम|श्रेणी|मूल्य|मात्रा', { नाम: 'Name', श्रेणी: 'Category', मूल्य: 'Price', मात्रा: 'Stock' }],
    ['constructor|__proto__|Name', { Name: 'Name' }],
  ])('is what its whole heading says: %s', (headings, expected) => {
    expect(guessed(headings)).toEqual(expected);
  });
});
