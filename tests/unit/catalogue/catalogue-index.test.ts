import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeAges,
  decodeIndex,
  encodeAges,
  encodeIndex,
  inIndexOrder,
  type LabelSets,
} from '../../../src/domain/catalogue/catalogue-index.ts';
import { metalsOf, stonesOf } from '../../../src/domain/catalogue/facets.ts';
import { cardFiles, cardsPerFile, readCards } from '../../../src/domain/catalogue/listing-cards.ts';
import { categories, chargedPrice } from '../../../src/domain/catalogue/product.ts';
import { ValidationError } from '../../../src/domain/validate.ts';
import { anyProduct, product } from './catalogue-rows.ts';

const labelsIn = ({ labels, sets, products }: LabelSets) =>
  [...products].map((set) => sets[set]?.map((at) => labels[at]));
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('what the index says of every product comes out as it went in', () => {
  fc.assert(
    fc.property(fc.array(anyProduct, { maxLength: 30 }), (given) => {
      const products = inIndexOrder(given);
      const columns = decodeIndex(sent(encodeIndex(products, 12)));
      expect(columns.count).toBe(products.length);
      expect(columns.names).toEqual(products.map(({ name }) => name.replaceAll(/\s+/gu, ' ')));
      expect([...columns.categories].map((at) => categories[at])).toEqual(
        products.map(({ category }) => category),
      );
      expect(columns.prices).toEqual(products.map(({ price }) => price));
      expect(columns.charged).toEqual(products.map((each) => chargedPrice(each)));
      expect(products.map(({ stock }) => stock > 0)).toEqual(
        products.map((_, position) => position < columns.available),
      );
      expect(labelsIn(columns.metals)).toEqual(
        products.map(({ attributes }) => metalsOf(attributes)),
      );
      expect(labelsIn(columns.stones)).toEqual(
        products.map(({ attributes }) => stonesOf(attributes)),
      );
    }),
  );
});

test('an age is how many products are newer', () => {
  const products = inIndexOrder([
    product({ name: 'A', createdAt: '2026-01-02T00:00:00Z' }),
    product({ name: 'B', createdAt: '' }),
    product({ name: 'C', createdAt: '2026-02-01T00:00:00Z', stock: 0 }),
  ]);
  expect(decodeAges(sent(encodeAges(products)))).toEqual([1, 2, 0]);
});

test('more words than a character has codes are kept apart', () => {
  const products = inIndexOrder(
    Array.from({ length: 60_000 }, (_, index) => product({ name: `Ring ${String(index)}` })),
  );
  const { names } = decodeIndex(sent(encodeIndex(products, 12)));
  expect(names).toEqual(products.map(({ name }) => name));
});

test('a code without a value, or no index at all, is refused', () => {
  const index = encodeIndex([product()], 12);
  expect(() => decodeIndex({ ...index, prices: { values: [], codes: '#' } })).toThrow(
    ValidationError,
  );
  expect(() => decodeIndex('<!doctype html>')).toThrow(ValidationError);
});

test('files of cards have every product once, in the order of the index', () => {
  const products = Array.from({ length: 2 * cardsPerFile + 1 }, () => product());
  const files = cardFiles(products);
  expect(files.map((cards) => cards.length)).toEqual([cardsPerFile, cardsPerFile, 1]);
  expect(files.flatMap((cards) => readCards(sent(cards)).map(({ id }) => id))).toEqual(
    products.map(({ id }) => id),
  );
  const [plain, sized] = readCards(
    sent(cardFiles([product(), product({ sizes: [{ size: '14', stock: 2 }] })]).flat()),
  );
  expect([plain?.sized, sized?.sized]).toEqual([false, true]);
});
