import { factsOf } from '../../../src/domain/catalogue/attributes.ts';
import { describe, expect, test, vi } from 'vitest';
import { productColumns, productFromRow } from '../../../src/domain/catalogue/product-row.ts';
import { categories, categoryLabel } from '../../../src/domain/catalogue/category.ts';
import { chargedPrice, stockLevel } from '../../../src/domain/catalogue/product.ts';
import { eachRow } from '../../each-row.ts';

vi.mock('../../../src/shop/shop.ts', async () => ({
  shop: (await import('../../sample-shop.ts')).sampleShop,
}));

vi.mock('../../../src/shop/categories.ts', async () => ({
  categories: (await import('../../sample-categories.ts')).sampleCategories,
}));

const row = {
  id: '5b0c7a52-3f0e-4a51-9c0e-6a2f0d3f7a11',
  name: 'Palakka Ring',
  description: 'Green stone',
  category: 'rings',
  price: 1234.5,
  offerPrice: 999.99,
  stock: 4,
  sizes: [{ size: '14', stock: 4 }],
  images: ['products/a.jpg', 'https://cdn.example/b.jpg'],
  image_alts: ['From the front', 'From the side'],
  attributes: { metal: 'Silver', weight_g: 3.4 },
  created_at: '2026-01-01T00:00:00+00:00',
  updated_at: '2026-01-02T00:00:00+00:00',
};

describe('a row of products', () => {
  test('becomes a product with prices in paise', () => {
    expect(productFromRow(row)).toEqual({
      id: row.id,
      name: 'Palakka Ring',
      description: 'Green stone',
      category: 'rings',
      price: 123_450,
      offerPrice: 99_999,
      stock: 4,
      sizes: [{ size: '14', stock: 4 }],
      images: row.images,
      imageAlts: row.image_alts,
      attributes: { metal: 'Silver', weight_g: 3.4 },
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    });
  });

  test('may carry its numerics as text', () => {
    const asText = productFromRow({ ...row, price: '1234.50', offerPrice: '999.99' });
    expect(asText).toEqual(productFromRow(row));
  });

  test('may have nulls, or lack what is optional', () => {
    const bare = { id: row.id, name: 'Ring', category: 'rings', price: '10', stock: 0 };
    const expected = {
      description: '',
      price: 1_000,
      offerPrice: null,
      stock: 0,
      sizes: [],
      images: [],
      imageAlts: [],
      attributes: {},
    };
    expect(productFromRow(bare)).toMatchObject(expected);
    const nulls = {
      description: null,
      offerPrice: null,
      images: null,
      image_alts: null,
      attributes: null,
    };
    expect(productFromRow({ ...bare, ...nulls })).toMatchObject(expected);
  });

  test('keeps three images at most and drops empty entries', () => {
    const { images } = productFromRow({
      ...row,
      images: ['', 'a.jpg', '', 'b.jpg', 'c.jpg', 'd.jpg'],
    });
    expect(images).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
  });

  test('with an attribute that this version does not know shows the others', () => {
    const { attributes } = productFromRow({
      ...row,
      attributes: { metal: 'Silver', colour: 'green' },
    });
    expect(factsOf(attributes)).toEqual([['Metal', 'Silver']]);
  });

  test('with a column that does not fit is refused by an error that names the column', () =>
    eachRow<[string, unknown]>(
      [
        ['id', 7],
        ['name', ''],
        ['name', null],
        ['category', ''],
        ['category', null],
        ['price', 'a lot'],
        ['price', null],
        ['price', true],
        ['offerPrice', 'none'],
        ['stock', '4'],
        ['stock', 1.5],
        ['stock', -1],
        ['stock', null],
        ['images', 'a.jpg'],
        ['images', [1]],
        ['image_alts', {}],
        ['attributes', 'gold'],
        ['created_at', 5],
      ],
      ([column, value]) => {
        expect(() => productFromRow({ ...row, [column]: value })).toThrow(
          new RegExp(`^${column}[.:]`, 'u'),
        );
      },
    ));

  test('is an object, nothing else', () =>
    eachRow([null, undefined, 'row', 5, []], (value) => {
      expect(() => productFromRow(value)).toThrow();
    }));

  test('the selected columns are those that are read', () => {
    expect(productColumns.split(',').toSorted()).toEqual(Object.keys(row).toSorted());
  });
});

describe('facts of a product', () => {
  test('categories are shown by their labels', () => {
    expect(categories.map(categoryLabel)).toEqual([
      'Rings',
      'Necklaces',
      'Bracelets',
      'Earrings',
      'Watches',
      'Toe rings',
    ]);
    expect(categoryLabel('no-more')).toBe('no-more');
  });

  test('the offer is charged when there is one, even at zero', () => {
    expect(chargedPrice({ price: 500, offerPrice: 300 })).toBe(300);
    expect(chargedPrice({ price: 500, offerPrice: null })).toBe(500);
    expect(chargedPrice({ price: 500, offerPrice: 0 })).toBe(0);
  });

  test('a stock is out, low or in stock', () =>
    eachRow(
      [
        [-1, 'out'],
        [0, 'out'],
        [1, 'low'],
        [4, 'low'],
        [5, 'in'],
        [100, 'in'],
      ],
      ([stock, level]) => {
        expect(stockLevel(stock)).toBe(level);
      },
    ));
});
