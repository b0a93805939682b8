import { expect, test, vi } from 'vitest';
import { productsHash, readProductsHash } from '#islands/admin/products/list/products-address.ts';
import { allProducts } from '#services/admin/catalogue/products.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

test('the address of a list of products comes back as it went', () => {
  const query = {
    q: 'ring & chain',
    category: 'rings',
    stock: 'low',
    show: 'hidden',
    sort: 'name',
  } as const;
  expect(readProductsHash(productsHash(query))).toEqual(query);
  expect(productsHash({ ...allProducts, q: '  ' })).toBe('#');
  expect(productsHash({ ...allProducts, stock: 'out' })).toBe('#?stock=out');
});

test('unknown filters in the address show all products, newest first', () => {
  for (const hash of ['#?category=hats&stock=many&sort=luck', ''])
    expect(readProductsHash(hash)).toEqual(allProducts);
});
