import { expect } from 'vitest';
import { describeDatabase, type Description } from '#local/shared/describe-database.ts';
import type { Postgres } from './postgres.ts';

/** Names of what two databases have differently. */
const differing = (one: Description, other: Description): string[] =>
  [...new Set([...one.keys(), ...other.keys()])]
    .filter((object) => one.get(object) !== other.get(object))
    .sort();

/** Checks that two databases differ, and that they are equal once `sql` has run on `migrated`. Takes that back. */
export async function expectEqualAfter(
  migrated: Postgres,
  declared: Postgres,
  sql: readonly string[],
): Promise<void> {
  const wanted = await describeDatabase(declared);
  expect(differing(wanted, await describeDatabase(migrated))).not.toEqual([]);
  await migrated.run('begin');
  try {
    for (const text of sql) await migrated.run(text);
    expect(differing(wanted, await describeDatabase(migrated))).toEqual([]);
  } finally {
    await migrated.run('rollback');
  }
}
