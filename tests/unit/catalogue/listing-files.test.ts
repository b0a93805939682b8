import { expect, test, vi } from 'vitest';
import { cardsPerFile, parseIndex } from '#domain/catalogue/listing/catalogue-index.ts';
import { runListing } from '#domain/catalogue/listing/listing-query.ts';
import { wholeCatalogue } from '#domain/catalogue/listing/listing.ts';
import { createListing } from '#services/catalogue/listing-files.ts';
import { product } from './catalogue-rows.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const products = Array.from({ length: 5 * cardsPerFile }, (_, index) =>
  product({ name: `Ring ${String(index).padStart(3, '0')}`, price: 100 + index }),
);
const namesOf = (changed: typeof products): string[] => [
  ...createListing(changed, new Map()).files.keys(),
];
const edited = (at: number, fields: Partial<(typeof products)[number]>): string[] =>
  namesOf(products.map((one, index) => (index === at ? { ...one, ...fields } : one)));

/** The files that an edit of the product in the second file of cards renames, without the hashes. */
const renamedBy = (fields: Partial<(typeof products)[number]>): string[] => {
  const before = new Set(namesOf(products));
  return edited(cardsPerFile + 1, fields)
    .filter((name) => !before.has(name))
    .map((name) => name.replace(/\..*$/u, ''));
};

test('the same catalogue gives the same names', () => {
  expect(namesOf(products)).toHaveLength(3 + 5);
  expect(namesOf(products)).toEqual(namesOf(structuredClone(products)));
});

test('an edited description renames the texts of the search, its own file of cards and the list of those, not the index', () => {
  expect(renamedBy({ description: 'Another' })).toEqual(['search', 'cards-1', 'card-files']);
});

test('an edited price renames the index alone', () => {
  expect(renamedBy({ price: 999 })).toEqual(['catalogue']);
});

test('the order by reviews is offered where there are any, and has products without one last', () => {
  const [first, second, third] = products.map(({ id }) => id) as [string, string, string];
  expect(createListing(products, new Map([['deleted', 500]])).orders).not.toContain('reviewed');
  const { files, names, orders } = createListing(
    products.slice(0, 4),
    new Map([
      [first, 380],
      [third, 460],
      [second, 380],
    ]),
  );
  expect(orders).toContain('reviewed');
  const index = parseIndex(JSON.parse(files.get(names.index) ?? ''));
  expect(runListing(index, { ...wholeCatalogue, sort: 'reviewed' }).positions).toEqual([
    2, 0, 1, 3,
  ]);
});
