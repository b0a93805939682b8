import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBaselineRelease, writeBaseline } from '#local/baseline/make-baseline.ts';
import {
  describeVersion,
  findChangedMigrations,
  foldHistory,
  planRepair,
  replacedFiles,
} from '#local/shared/migration-history.ts';
import {
  readMigrationChecksums,
  readReleases,
  timeOf,
  type Release,
} from '#local/shared/releases.ts';
import { hasCommit } from '#tests/git-sources.ts';

const time = (number: number): string => `202601010000${String(number).padStart(2, '0')}`;
const times = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => time(from + index));

/** A release with the migrations 1 to `count`, or with these files. */
function release(version: string, count: number, baseline?: string): Release {
  const files = times(1, count).map((at) => `${at}_a.sql`);
  return {
    version,
    date: '2026-01-01',
    commit: 'a'.repeat(40),
    migrations: Object.fromEntries(files.map((file) => [file, 'x'])),
    ...(baseline === undefined
      ? {}
      : { baseline: { file: `${baseline}_baseline.sql`, sha256: 'y' } }),
  };
}
const plain = [release('1.0.0', 2), release('1.1.0', 4), release('1.2.0', 6)];
const once = [release('1.0.0', 2), release('1.1.0', 4, time(4)), release('1.2.0', 6)];
const twice = [release('1.0.0', 2), release('1.1.0', 4, time(4)), release('1.2.0', 6, time(6))];

test.each<[string, Release[], string[], ReturnType<typeof planRepair>]>([
  ['no baseline', plain, times(1, 6), null],
  ['a new database', once, [], null],
  ['the release of the baseline', once, times(1, 4), { reverted: times(1, 3), applied: [time(4)] }],
  ['a later release', once, times(1, 6), { reverted: times(1, 3), applied: [time(4)] }],
  ['a repaired one', once, times(4, 6), null],
  ['two baselines at once', twice, times(1, 6), { reverted: times(1, 5), applied: [time(6)] }],
  ['the second baseline', twice, times(4, 7), { reverted: times(4, 5), applied: [time(6)] }],
  ['repaired twice, with more', twice, times(6, 8), null],
])(
  'the history is repaired where it has what a baseline replaces: %s',
  (_, releases, applied, plan) => {
    expect(planRepair(releases, applied)).toEqual(plan);
    const { history } = foldHistory(releases, applied);
    expect(planRepair(releases, history)).toBeNull();
  },
);

test.each([
  ['an older release', once, times(1, 2), '1.1.0'],
  ['one is missing', once, [time(1), ...times(3, 6)], '1.1.0'],
  ['the last is missing', once, times(1, 3), '1.1.0'],
  ['none of them, but others', once, [time(5)], '1.1.0'],
  ['before the second baseline', twice, times(4, 5), '1.2.0'],
])('a history that lacks some of them is refused: %s', (_, releases, applied, first) => {
  expect(() => planRepair(releases, applied)).toThrow(
    `The database is older than ${first}. Upgrade to ${first} first, by the page of that version: git show aaaaaaaa:docs/upgrading.md.`,
  );
  expect(foldHistory(releases, applied).history).toEqual(applied);
});

test('a database says the same release before its history is repaired and after it', () => {
  for (const applied of [times(1, 4), [time(4)]])
    expect(describeVersion(once, applied)).toBe('at 1.1.0');
  for (const applied of [times(1, 7), times(4, 7)])
    expect(describeVersion(once, applied)).toBe(
      `at 1.2.0 and 1 later migration, the last ${time(7)}`,
    );
  expect(describeVersion(once, times(1, 2))).toBe('at 1.0.0');
});

test('a baseline stands for its files, and is released as they were', () => {
  const current = { [`${time(4)}_baseline.sql`]: 'y', ...later() };
  expect(findChangedMigrations(once, current)).toEqual([]);
  expect(findChangedMigrations(once, { ...current, [`${time(4)}_baseline.sql`]: 'z' })).toEqual([
    expect.stringContaining('has changed since 1.1.0'),
  ]);
  expect(findChangedMigrations(once, later())).toEqual([expect.stringContaining('is gone')]);
  expect(findChangedMigrations(once, { ...current, [`${time(2)}_a.sql`]: 'x' })).toEqual([
    `${time(2)}_a.sql is in the baseline: delete it.`,
  ]);
  expect(replacedFiles(twice)).toContain(`${time(4)}_baseline.sql`);
});
const later = (): Record<string, string> => ({
  [`${time(5)}_a.sql`]: 'x',
  [`${time(6)}_a.sql`]: 'x',
});

test.each([
  ['1.3.0', ['1.1.0', '1.2.0', '1.2.1'], '1.1.0'],
  ['1.4.0', ['1.2.0', '1.2.1', '1.3.0', '1.3.1'], '1.2.1'],
  ['2.0.0', ['1.10.0', '1.11.0'], '1.10.0'],
  ['1.3.1', ['1.2.0', '1.3.0'], undefined],
  ['1.1.0', ['1.0.0'], undefined],
])('at %s the baseline is of the minor version before the last', (version, released, of) => {
  const releases = released.map((one) => release(one, 1));
  expect(findBaselineRelease(releases, version)?.version).toBe(of);
});

const releases = await readReleases();

test('the baselines of releases.json are the schemas of their commits', async ({ skip }) => {
  const made = releases.filter(({ baseline }) => baseline !== undefined);
  expect(made.length).toBeGreaterThan(0);
  const current = await readMigrationChecksums();
  for (const one of made) {
    if (!hasCommit(one.commit))
      skip(`This clone has no commit of ${one.version}: fetch the whole history.`);
    const file = one.baseline?.file ?? '';
    expect(file.slice(0, 14)).toBe(Object.keys(one.migrations).map(timeOf).sort().at(-1));
    if (file in current)
      expect(await readFile(join('supabase/migrations', file), 'utf8')).toBe(
        writeBaseline(one).sql,
      );
  }
});
