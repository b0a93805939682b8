import { beforeEach, expect, test } from 'vitest';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();
let [a, b, c, d] = ['', '', '', ''];
beforeEach(async () => {
  await database.run('delete from public.products; delete from public.product_changes');
  const ids: string[] = [];
  for (const name of ['A', 'B', 'C', 'D'])
    ids.push((await database.insertProduct({ name })).product.id);
  [a = '', b = '', c = '', d = ''] = ids;
});

interface Answer {
  outcome: string;
  featured: { id: string; name: string }[];
}
const feature = (ids: readonly string[], seen: readonly string[]): Promise<Answer> =>
  database.value('select public.feature_products($1, $2, 3)', ids, seen);
const featured = async (): Promise<string[]> =>
  (await database.value<{ name: string }[]>('select public.featured_products()')).map(
    ({ name }) => name,
  );

test('the front page has the chosen products in their order, which can be changed and emptied', async () => {
  expect(await feature([b, a], [])).toMatchObject({
    outcome: 'saved',
    featured: [
      { id: b, name: 'B' },
      { id: a, name: 'A' },
    ],
  });
  expect(await feature([a, c, b], [b, a])).toMatchObject({ outcome: 'saved' });
  expect(await featured()).toEqual(['A', 'C', 'B']);
  expect(await feature([], [a, c, b])).toMatchObject({ outcome: 'saved', featured: [] });
});

test('a choice based on an old one is refused with the current one', async () => {
  await feature([b, a], []);
  for (const seen of [[], [a, b], [b]]) {
    expect(await feature([c], seen)).toMatchObject({
      outcome: 'changed',
      featured: [{ id: b }, { id: a }],
    });
  }
  expect(await featured()).toEqual(['B', 'A']);
});

test('more than the limit, or a product twice, is refused', async () => {
  expect(await sqlState(feature([a, b, c, d], []))).toBe('22023');
  expect(await sqlState(feature([a, a], []))).toBe('22023');
});

test('a deleted product leaves the home page, cannot be featured, and is restored without its place', async () => {
  await feature([a, b], []);
  await database.deleteProduct(a);
  expect(await featured()).toEqual(['B']);
  expect(await feature([a, b], [b])).toMatchObject({ outcome: 'missing', featured: [{ id: b }] });
  await database.query('select public.restore_product($1)', a);
  expect(await featured()).toEqual(['B']);
});
