import { factsOf } from '#domain/catalogue/attributes.ts';
import { describe, expect, test, vi } from 'vitest';
import { productColumns, productFromRow } from '#domain/catalogue/product-row.ts';
import { categoryLabel } from '#domain/catalogue/category.ts';
import { stockLevel } from '#domain/catalogue/product.ts';
import { eachRow } from '#tests/each-row.ts';

vi.mock('#shop/shop.ts', async () => ({
  shop: (await import('#tests/sample-shop.ts')).sampleShop,
}));

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
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

  test('may have nulls, or lack what is optional', () => {
    const bare = { id: row.id, name: 'Ring', category: 'rings', price: '10', stock: 0 };
    const nulls = { description: null, offerPrice: null, images: null, attributes: null };
    for (const given of [bare, { ...bare, ...nulls, image_alts: null }])
      expect(productFromRow(given)).toMatchObject({
        description: '',
        price: 1_000,
        offerPrice: null,
        stock: 0,
        sizes: [],
        images: [],
        imageAlts: [],
        attributes: {},
      });
  });

  test('reads numerics as text, keeps three images at most, and shows no attribute that it does not know', () => {
    const read = productFromRow({
      ...row,
      price: '1234.50',
      images: ['', 'a.jpg', '', 'b.jpg', 'c.jpg', 'd.jpg'],
      attributes: { metal: 'Silver', colour: 'green' },
    });
    expect(read).toMatchObject({ price: 123_450, images: ['a.jpg', 'b.jpg', 'c.jpg'] });
    expect(factsOf(read.attributes)).toEqual([['Metal', 'Silver']]);
  });

  test('with a column that does not fit is refused by an error that names the column', () => {
    expect(() => productFromRow(null)).toThrow();
    return eachRow<[string, unknown[]]>(
      [
        ['id', [7]],
        ['name', ['', null]],
        ['category', ['', null]],
        ['price', ['a lot', null, true]],
        ['offerPrice', ['none']],
        ['stock', ['4', 1.5, -1, null]],
        ['images', ['a.jpg', [1]]],
        ['image_alts', [{}]],
        ['attributes', ['gold']],
        ['created_at', [5]],
      ],
      ([column, values]) => {
        for (const value of values)
          expect(() => productFromRow({ ...row, [column]: value })).toThrow(
            new RegExp(`^${column}[.:]`, 'u'),
          );
      },
    );
  });

  test('the selected columns are those that are read', () => {
    expect(productColumns.split(',').toSorted()).toEqual(Object.keys(row).toSorted());
  });
});

test('a category is shown by its label, a stock as out, low or in stock', () => {
  expect(['rings', 'toe-rings', 'no-more'].map(categoryLabel).join()).toBe(
    'Rings,Toe rings,no-more',
  );
  expect([-1, 0, 1, 4, 5, 100].map(stockLevel).join()).toBe('out,out,low,low,in,in');
});
