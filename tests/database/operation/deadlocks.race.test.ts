import { expect, test } from 'vitest';
import { useDatabase } from '../support/postgres.ts';

/* The races say that no deadlock was counted. */
const postgres = await useDatabase();

test('a deadlock is counted at once', async () => {
  const [first, second] = await postgres.connect(2);
  if (!first || !second) throw new Error('No connection');
  const [ring, chain] = [await postgres.addProduct(), await postgres.addProduct()];
  const lock = 'select 1 from public.products where id = $1 for update';
  expect(await postgres.deadlocks()).toBe(0);
  for (const database of [first, second]) await database.run('begin');
  await first.query(lock, ring);
  await second.query(lock, chain);
  const outcomes = await Promise.allSettled([first.query(lock, chain), second.query(lock, ring)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  for (const database of [first, second]) await database.run('rollback');
  expect(await postgres.deadlocks()).toBe(1);
});
