import { describe, expect, test, vi } from 'vitest';
import {
  copyOfProduct,
  emptyProductForm,
  formOfProduct,
  readProductForm,
  sizeErrors,
  unplacedStock,
  type ProductForm,
} from '#domain/admin/products/product-form.ts';
import { eachRow } from '#tests/each-row.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const typed: ProductForm = {
  ...emptyProductForm,
  name: 'Palakka Mala',
  price: '3,499',
  category: 'necklaces',
};

describe('the product form', () => {
  test('takes name, price and category; stock is 0 and there is no offer when nothing is typed', () => {
    expect(readProductForm(typed)).toEqual({
      ok: true,
      product: {
        name: 'Palakka Mala',
        price: 349_900,
        category: 'necklaces',
        description: '',
        offerPrice: null,
        stock: 0,
        sizes: [],
        hidden: false,
        images: [],
        imageAlts: [],
        attributes: {},
      },
    });
  });

  test('says of each required field that it is missing, and beside it what else is wrong', () => {
    const form = { ...emptyProductForm, name: '  ', offerPrice: 'half' };
    expect(readProductForm(form)).toMatchObject({
      ok: false,
      missing: true,
      errors: {
        name: 'Name is required',
        price: 'Price is required',
        category: 'Category is required',
        offerPrice: 'Offer price must be in rupees, with two decimals at most',
      },
    });
  });

  test('takes an HSN code of 4, 6 or 8 digits that can exist, and no other', () => {
    const read = (hsn: string) => readProductForm({ ...typed, hsn });
    for (const hsn of ['', '7117', '711719', '71171990', '7018', '9985'])
      expect(read(hsn), hsn).toMatchObject({ ok: true });
    for (const printed of ['7117 19 90', '7117.19.90'])
      expect(read(printed)).toMatchObject({ product: { attributes: { hsn: '71171990' } } });
    const refused = ['711', '71171', '7.117E+03', '7123', '7701', '9801', '0012', '9115', 'gold'];
    for (const hsn of refused)
      expect(read(hsn), hsn).toMatchObject({
        errors: { hsn: 'There is no such HSN code. Give its 4, 6 or 8 digits, such as 7117.' },
      });
  });

  test('takes one of the choices of a detail that has some, and no other text', () => {
    const read = (text: string) => readProductForm({ ...typed, cash_on_delivery: text });
    expect(read(' no ')).toMatchObject({ product: { attributes: { cash_on_delivery: 'No' } } });
    expect(read('')).toMatchObject({ ok: true, product: { attributes: {} } });
    expect(read('Never')).toMatchObject({
      ok: false,
      errors: { cash_on_delivery: 'Cash on delivery must be Yes or No' },
    });
  });

  test('says at each field what is wrong with it', () => {
    const rupees = 'Offer price must be in rupees, with two decimals at most';
    const picture = 'A picture is an upload or an address that begins with https://';
    const sizes = (...stocks: string[]) => ({
      sizes: stocks.map((stock, index) => ({ size: String(index), stock })),
    });
    const twice = ['S', ' s '].map((size) => ({ size, stock: '1' }));
    return eachRow<[string, Partial<ProductForm>, string]>(
      [
        ['price', { price: '0' }, 'Price must be more than ₹0'],
        ['price', { price: '10,00,001' }, 'Price must be at most ₹10,00,000'],
        ['offerPrice', { offerPrice: 'half' }, rupees],
        ['offerPrice', { offerPrice: '3499.00' }, 'The offer must be below the price'],
        ['stock', { stock: '-1' }, 'Stock cannot be below 0'],
        ['stock', { stock: '1.5' }, 'Stock must be a whole number'],
        ['sizes', sizes('', '-1'), 'Stock cannot be below 0'],
        ['sizes', { sizes: twice }, 'A size is listed twice'],
        ['sizes', sizes('60000', '60000'), 'Stock must be at most 1,00,000 in all'],
        ['sizes', sizes(...Array.from({ length: 101 }, () => '')), '100 sizes at most'],
        [
          'sizes',
          { sizes: [{ size: 'x'.repeat(41), stock: '1' }] },
          'A size must be at most 40 characters',
        ],
        ['weight_g', { weight_g: 'light' }, 'Weight must be a number'],
        ['metal', { metal: 'x'.repeat(201) }, 'Metal must be at most 200 characters'],
        ['images', { images: ['ftp://a/b.png'] }, picture],
        ['images', { images: ['http://a/b.png'] }, picture],
      ],
      ([field, change, message]) => {
        expect(readProductForm({ ...typed, ...change })).toEqual({
          ok: false,
          missing: false,
          errors: { [field]: message },
        });
      },
    );
  });

  test('drops empty images and keeps each description beside its own image', () => {
    const reading = readProductForm({
      ...typed,
      images: ['', 'products/a.webp', 'https://pictures.example/b.jpg'],
      imageAlts: ['of nothing', 'front', 'back'],
    });
    expect(reading).toMatchObject({
      product: {
        images: ['products/a.webp', 'https://pictures.example/b.jpg'],
        imageAlts: ['front', 'back'],
      },
    });
  });
});

test('with sizes the stock is their sum, whatever is typed for it, and a product that is saved without a change is the same', () => {
  const reading = readProductForm({
    ...typed,
    offerPrice: '2,999.50',
    stock: 'many',
    weight_g: '12.5',
    sizes: [
      { size: ' 12 ', stock: '1,200' },
      { size: '14', stock: '' },
    ],
  });
  if (!reading.ok) throw new Error('The form is not right');
  expect(reading.product).toMatchObject({
    stock: 1_200,
    sizes: [
      { size: '12', stock: 1_200 },
      { size: '14', stock: 0 },
    ],
  });
  expect(readProductForm(formOfProduct(reading.product))).toEqual(reading);
  expect(copyOfProduct(reading.product).sizes).toEqual([
    { size: '12', stock: '' },
    { size: '14', stock: '' },
  ]);
});

test('a copy says what the other product says, under another name and without its stock', () => {
  const reading = readProductForm({ ...typed, name: 'x'.repeat(200), stock: '7', hidden: true });
  if (!reading.ok) throw new Error('The form is not right');
  const copy = copyOfProduct(reading.product);
  expect(copy).toEqual({
    ...formOfProduct(reading.product),
    name: `${'x'.repeat(193)} (copy)`,
    stock: '',
  });
  expect(readProductForm(copy).ok).toBe(true);
});

test('a stock that was typed before the sizes waits for one of them, until a size has some or is set to none', () =>
  eachRow<[string, string[], boolean, number]>(
    [
      ['7', ['', ''], false, 7],
      ['1,200', ['0'], false, 1200],
      ['7', [], false, 0],
      ['7', ['', '2'], false, 0],
      ['0', ['', ''], false, 0],
      ['', [''], false, 0],
      ['many', [''], false, 0],
      // The sum of sizes as they were stored: all of them may be sold out.
      ['7', ['0', '0'], true, 0],
    ],
    ([stock, stocks, hadSizes, unplaced]) => {
      const sizes = stocks.map((one, index) => ({ size: String(index), stock: one }));
      expect(unplacedStock({ stock, sizes }, { sizes: hadSizes ? [{}] : [] })).toBe(unplaced);
    },
  ));

test('a ring in the shop says its size in sizes or in a sentence; a hidden one may wait', () => {
  const ring = { ...emptyProductForm, category: 'rings' };
  expect(sizeErrors(ring).size).toContain('Say which size it is');
  expect(sizeErrors({ ...ring, size: 'One size: 14' })).toEqual({});
  expect(sizeErrors({ ...ring, sizes: [{ size: '14', stock: '' }] })).toEqual({});
  expect(sizeErrors({ ...ring, hidden: true })).toEqual({});
  expect(sizeErrors({ ...ring, category: 'necklaces' })).toEqual({});
});
