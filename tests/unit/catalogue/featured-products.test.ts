import { expect, test } from 'vitest';
import { chooseFeatured, chooseRows, smallPrice } from '#domain/catalogue/featured-products.ts';
import { product } from './catalogue-rows.ts';

const oldest = product({ id: 'oldest', createdAt: '2026-01-01T00:00:00Z' });
const middle = product({ id: 'middle', createdAt: '2026-02-01T00:00:00Z' });
const newest = product({ id: 'newest', createdAt: '2026-03-01T00:00:00Z' });
const soldOut = product({ id: 'sold-out', createdAt: '2026-04-01T00:00:00Z', stock: 0 });
const all = [oldest, middle, newest, soldOut];
const ids = (chosen: readonly string[], count = 3) =>
  chooseFeatured(all, chosen, count).map(({ id }) => id);

test('without a choice the front page shows the newest products that can be bought', () => {
  expect(ids([])).toEqual(['newest', 'middle', 'oldest']);
  expect(ids([], 9)).toEqual(['newest', 'middle', 'oldest', 'sold-out']);
});

test('the chosen products come first, in the order of the choice, each once', () => {
  expect(ids(['gone', 'oldest'])).toEqual(['oldest', 'newest', 'middle']);
  expect(ids(['sold-out', 'oldest', 'middle'])).toEqual(['sold-out', 'oldest', 'middle']);
});

test('the rows below show the newest and then what costs little, no product twice and none that is sold out', () => {
  const made = Array.from({ length: 12 }, (_, index) =>
    product({
      id: String(index),
      createdAt: `2026-01-${String(28 - index)}T00:00:00Z`,
      price: index % 2 === 0 ? smallPrice : smallPrice - 1,
      stock: index === 3 ? 0 : 5,
    }),
  );
  const featured = made.slice(0, 2);
  const { arrivals, small } = chooseRows(made, featured);
  expect(arrivals.map(({ id }) => id)).toEqual(['2', '4', '5', '6']);
  expect(small.map(({ id }) => id)).toEqual(['7', '9', '11']);
  expect(chooseRows([], [])).toEqual({ arrivals: [], small: [] });
});
