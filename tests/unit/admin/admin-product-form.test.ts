import { describe, expect, test, vi } from 'vitest';
import {
  copyOfProduct,
  emptyProductForm,
  formOfProduct,
  readProductForm,
  unplacedStock,
  type ProductForm,
} from '../../../src/domain/admin/products/product-form.ts';
import { eachRow } from '../../each-row.ts';

vi.mock('../../../src/shop/categories.ts', async () => ({
  categories: (await import('../../sample-categories.ts')).sampleCategories,
}));

const typed: ProductForm = {
  ...emptyProductForm,
  name: 'Palakka Mala',
  price: '3,499',
  category: 'necklaces',
};

function errorsOf(form: ProductForm) {
  const reading = readProductForm(form);
  return reading.ok ? {} : reading.errors;
}

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

  test('says of each required field that it is missing, and that this is why', () => {
    const reading = readProductForm({ ...emptyProductForm, name: '  ' });
    expect(reading).toMatchObject({
      ok: false,
      missing: true,
      errors: {
        name: 'Name is required',
        price: 'Price is required',
        category: 'Category is required',
      },
    });
  });

  test('distinguishes a wrong field from a missing one', () => {
    expect(readProductForm({ ...typed, stock: '1.5' })).toEqual({
      ok: false,
      missing: false,
      errors: { stock: 'Stock must be a whole number' },
    });
  });

  test('says at each field what is wrong with it', () =>
    eachRow(
      [
        [{ price: '12.345' }, 'price', 'Price must be in rupees, with two decimals at most'],
        [{ price: '0' }, 'price', 'Price must be more than ₹0'],
        [{ price: '10,00,001' }, 'price', 'Price must be at most ₹10,00,000'],
        [
          { offerPrice: 'half' },
          'offerPrice',
          'Offer price must be in rupees, with two decimals at most',
        ],
        [{ offerPrice: '3499.00' }, 'offerPrice', 'The offer must be below the price'],
        [{ stock: '-1' }, 'stock', 'Stock cannot be below 0'],
        [{ stock: 'many' }, 'stock', 'Stock must be a whole number'],
        [{ sizes: [{ size: '12', stock: 'many' }] }, 'sizes', 'Stock must be a whole number'],
        [
          {
            sizes: [
              { size: '12', stock: '' },
              { size: '14', stock: '-1' },
            ],
          },
          'sizes',
          'Stock cannot be below 0',
        ],
        [
          {
            sizes: [
              { size: 'S', stock: '1' },
              { size: ' s ', stock: '1' },
            ],
          },
          'sizes',
          'A size is listed twice',
        ],
        [
          { sizes: [{ size: 'x'.repeat(21), stock: '1' }] },
          'sizes',
          'A size must be at most 20 characters',
        ],
        [
          {
            sizes: [
              { size: 'S', stock: '60000' },
              { size: 'M', stock: '60000' },
            ],
          },
          'sizes',
          'Stock must be at most 1,00,000 in all',
        ],
        [
          { sizes: Array.from({ length: 25 }, (_, size) => ({ size: String(size), stock: '' })) },
          'sizes',
          '24 sizes at most',
        ],
        [{ weight_g: 'light' }, 'weight_g', 'Weight must be a number'],
        [{ metal: 'x'.repeat(201) }, 'metal', 'Metal must be at most 200 characters'],
        [
          { images: ['ftp://a/b.png'] },
          'images',
          'A picture is an upload or an address that begins with https://',
        ],
        [
          { images: ['http://a/b.png'] },
          'images',
          'A picture is an upload or an address that begins with https://',
        ],
      ],
      ([change, field, message]) => {
        expect(errorsOf({ ...typed, ...change } as ProductForm)).toEqual({ [field]: message });
      },
    ));

  test('an offer above the price is reported even when the name is missing', () => {
    expect(errorsOf({ ...typed, name: '', offerPrice: '4000' })).toMatchObject({
      offerPrice: 'The offer must be below the price',
    });
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

  test('a product that is opened and saved without a change is the same product', () => {
    const reading = readProductForm({
      ...typed,
      offerPrice: '2,999.50',
      stock: '1,200',
      weight_g: '12.5',
      metal: 'Brass',
      hsn: '7117',
    });
    expect(reading.ok).toBe(true);
    if (!reading.ok) return;
    expect(readProductForm(formOfProduct(reading.product))).toEqual(reading);
  });
});

test('with sizes the stock is their sum, whatever is typed for it, and a copy has the sizes without their stock', () => {
  const reading = readProductForm({
    ...typed,
    stock: 'many',
    sizes: [
      { size: ' 12 ', stock: '1,200' },
      { size: '14', stock: '' },
    ],
  });
  expect(reading).toMatchObject({
    ok: true,
    product: {
      stock: 1_200,
      sizes: [
        { size: '12', stock: 1_200 },
        { size: '14', stock: 0 },
      ],
    },
  });
  if (!reading.ok) return;
  expect(readProductForm(formOfProduct(reading.product))).toEqual(reading);
  expect(copyOfProduct(reading.product).sizes).toEqual([
    { size: '12', stock: '' },
    { size: '14', stock: '' },
  ]);
});

test('a copy says what the other product says, under another name and without its stock', () => {
  const product = {
    ...emptyProductForm,
    name: 'x'.repeat(200),
    category: 'rings',
    price: '499',
    stock: '7',
    metal: 'Brass',
    hidden: true,
  };
  const reading = readProductForm(product);
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
