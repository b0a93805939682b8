import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  isBuiltPage,
  listingAddress,
  readListingAddress,
} from '#domain/catalogue/listing/listing-address.ts';
import { wholeCatalogue } from '#domain/catalogue/listing/listing.ts';
import { eachRow } from '#tests/each-row.ts';
import { anyListing } from './catalogue-rows.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const read = (path: string) => readListingAddress(new URL(path, 'https://shop.example'));

test('every listing is read from its address as it was', () => {
  fc.assert(
    fc.property(
      anyListing,
      fc.constantFrom('grid' as const, 'list' as const),
      fc.integer({ min: 1, max: 500 }),
      (listing, view, page) => {
        const expected = { listing, view, page: isBuiltPage(listing) ? page : 1 };
        expect(read(listingAddress({ listing, view, page }))).toEqual(expected);
      },
    ),
    { examples: [[{ ...wholeCatalogue, category: 'toe-rings' }, 'grid', 2]] },
  );
});

test('the address says the least: pages that are built have their own, a category is a query', () =>
  eachRow(
    [
      ['/shop', {}, 1],
      ['/shop/page/3', {}, 3],
      ['/shop?category=rings', { category: 'rings' }, 1],
      ['/shop/rings/page/2', { category: 'rings' }, 2],
      ['/shop?sort=latest', { sort: 'latest' }, 2],
      ['/shop?q=kasu', { search: ' kasu ' }, 1],
    ] as const,
    ([address, changes, page]) => {
      expect(
        listingAddress({ listing: { ...wholeCatalogue, ...changes }, view: 'grid', page }),
      ).toBe(address);
    },
  ));

test('invalid filters in the address are ignored', () =>
  eachRow(
    [
      '/shop?category=submarines&sort=best&page=-1&view=cube',
      '/shop/page/1e9999',
      '/shop/page/0',
      '/shop?stone=',
    ],
    (address) => {
      const { listing, view, page } = read(address);
      expect({ ...listing, facets: wholeCatalogue.facets }).toEqual(wholeCatalogue);
      expect([view, page]).toEqual(['grid', 1]);
    },
  ));

test('capitals of a category and the parameter `search` are understood', () => {
  expect(read('/shop?category=Rings&search=kasu').listing).toMatchObject({
    category: 'rings',
    search: 'kasu',
  });
});
