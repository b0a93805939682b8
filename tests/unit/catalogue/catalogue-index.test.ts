import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cardsPerFile,
  createCardFiles,
  createIndex,
  inIndexOrder,
  parseCards,
  parseIndex,
} from '#domain/catalogue/listing/catalogue-index.ts';
import { countryOf, isImported, metalsOf, stonesOf } from '#domain/catalogue/listing/facets.ts';
import { ValidationError } from '#domain/validate.ts';
import { anyProduct, product, transferred } from './catalogue-rows.ts';

test('the index has every product, in stock first and by name, with what filters and sorting need', () => {
  fc.assert(
    fc.property(fc.array(anyProduct, { maxLength: 30 }), (given) => {
      const products = inIndexOrder(given);
      expect(parseIndex(transferred(createIndex(products)))).toEqual(
        products.map(({ name, category, price, offerPrice, stock, sizes, attributes }) => ({
          name,
          category,
          price,
          offerPrice,
          inStock: stock > 0,
          metals: metalsOf(attributes),
          stones: stonesOf(attributes),
          sizes: sizes.filter((one) => one.stock > 0).map(({ size }) => size),
          origin: given.some((each) => isImported(each.attributes)) ? countryOf(attributes) : '',
          age: expect.any(Number) as number,
          score: 0,
        })),
      );
      const inStock = products.map(({ stock }) => stock > 0);
      expect(inStock).toEqual(inStock.toSorted((a, b) => Number(b) - Number(a)));
    }),
  );
});

test('an age is how many products are newer', () => {
  const products = inIndexOrder([
    product({ name: 'A', createdAt: '2026-01-02T00:00:00Z' }),
    product({ name: 'B', createdAt: '' }),
    product({ name: 'C', createdAt: '2026-02-01T00:00:00Z', stock: 0 }),
  ]);
  expect(createIndex(products).map(({ age }) => age)).toEqual([1, 2, 0]);
});

test('an unknown category, a negative price, or no index at all is refused', () => {
  const [row] = createIndex([product()]);
  expect(() => parseIndex([{ ...row, category: 'submarines' }])).toThrow(ValidationError);
  expect(() => parseIndex([{ ...row, price: -1 }])).toThrow(ValidationError);
  expect(() => parseIndex('<!doctype html>')).toThrow(ValidationError);
});

test('files of cards have every product once, in the order of the index', () => {
  const products = Array.from({ length: 2 * cardsPerFile + 1 }, () => product());
  const files = createCardFiles(products);
  expect(files.map((cards) => cards.length)).toEqual([cardsPerFile, cardsPerFile, 1]);
  expect(files.flatMap((cards) => parseCards(transferred(cards)).map(({ id }) => id))).toEqual(
    products.map(({ id }) => id),
  );
  const [plain, sized] = parseCards(
    transferred(
      createCardFiles([product(), product({ sizes: [{ size: '14', stock: 2 }] })]).flat(),
    ),
  );
  expect([plain?.sized, sized?.sized]).toEqual([false, true]);
});
