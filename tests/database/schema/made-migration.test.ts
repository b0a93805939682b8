import { expect, test } from 'vitest';
import { createMentions } from '#local/migration/last-release-calls.ts';
import { makeMigration } from '#local/migration/make-migration.ts';
import { emptyMigration, readMigration } from '#local/migration/migration-file.ts';
import { readReleases } from '#local/shared/releases.ts';
import { readMigrations } from '#local/shared/sql-files.ts';
import { createDatabaseOf } from '#tests/database/support/postgres.ts';
import { changing } from '#tests/database/support/schema-changes.ts';
import { hasCommit } from '#tests/git-sources.ts';

/* The steps of the command, on real PostgreSQL. */

const releases = await readReleases();
const released = releases.find(({ version }) => version === '1.3.2');

test('a migration asks for a column, until its author has written it', async () => {
  const change = changing(
    'claims.sql',
    ['  late boolean not null,', '  late boolean not null,\n  wrap text,'],
    [
      'create unique index claims_open_idx',
      'create index claims_wrap_idx on public.claims (wrap);\ncreate unique index claims_open_idx',
    ],
  );
  const older = await readMigrations();
  const first = await makeMigration(change, older, emptyMigration, undefined, createDatabaseOf);
  expect(first.text).toContain('\n-- BY HAND: column public.claims.wrap text\n');
  expect(first.text).toContain('\ncreate index claims_wrap_idx on public.claims (wrap);\n-- end\n');
  expect(first.fault).toMatch(/column "wrap" does not exist/u);
  const edited = `alter table public.claims add column wrap text;\n${first.text}\nselect 1;\n`;
  const again = await makeMigration(
    change,
    older,
    readMigration(edited),
    undefined,
    createDatabaseOf,
  );
  expect(again.text).toBe(edited.replace('-- BY HAND: column public.claims.wrap text\n\n', ''));
  expect(again.fault).toBeNull();
});

test('a search of the last release finds what its site calls', ({ skip }) => {
  if (!released || !hasCommit(released.commit))
    return skip('This clone has no commit of 1.3.2: fetch the whole history.');
  const mentions = createMentions(released);
  expect(mentions('place_order', 'p_lines')).toBe(true);
  expect(mentions('place_order', 'p_of_no_release')).toBe(false);
  expect(mentions('function_of_no_release')).toBe(false);
  expect(() => createMentions({ ...released, commit: '0'.repeat(40) })('place_order')).toThrow(
    /fetch the whole history/u,
  );
});
