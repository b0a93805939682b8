import { expect, test } from 'vitest';
import { fetchFirst, type PageRequest } from '../../../src/services/admin/page-request.ts';

/** A list of so many numbers, as an endpoint answers it, and the sizes that were asked for. */
function listOf(total: number) {
  const limits: number[] = [];
  const load = ({ cursor, limit }: PageRequest) => {
    limits.push(limit);
    const from = Number(cursor ?? 0);
    const items = Array.from({ length: total }, (_, at) => at).slice(from, from + limit);
    const next = from + limit < total ? String(from + limit) : null;
    return Promise.resolve({ items, next, total: total + limits.length });
  };
  return { limits, load };
}
const { signal } = new AbortController();

test('the first rows of a list come in requests of a hundred, with the counts of the first', async () => {
  const { limits, load } = listOf(400);
  const { items, next, total } = await fetchFirst(load, 250, signal);
  expect(limits).toEqual([100, 100, 50]);
  expect(items).toEqual(Array.from({ length: 250 }, (_, at) => at));
  expect([next, total]).toEqual(['250', 401]);
});

test('a list that has become shorter ends where it ends', async () => {
  const { limits, load } = listOf(120);
  const { items, next } = await fetchFirst(load, 250, signal);
  expect(limits).toEqual([100, 100]);
  expect([items.length, next]).toEqual([120, null]);
});
