/*
 * `npm run migration -- SUBJECT`: makes a migration that runs after every other one, with the functions, views, policies, triggers,
 * indexes, comments and rights of supabase/schemas that the migrations lack, and prints its path. What moves data is listed in it.
 * `npm run migration -- --again` writes that part of the newest migration anew, until it is released.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeMigration } from './migration/make-migration.ts';
import { emptyMigration, readMigration } from './migration/migration-file.ts';
import { say, warn } from './shared/log.ts';
import { createPgliteDatabase } from './shared/pglite-database.ts';
import { nextMigration, readReleases } from './shared/releases.ts';
import { projectRoot } from './shared/settings.ts';
import { migrationsFolder, readMigrations, readSchemas } from './shared/sql-files.ts';
import { StartError } from './shared/start-error.ts';

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { again: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const subject = positionals.join('_').toLowerCase();
  if (values.again ? subject !== '' : !/^[a-z][a-z0-9_]*$/u.test(subject))
    throw new StartError(
      'Name the subject in letters, digits and underscores: npm run migration -- closure_in_catalogue. Or write the newest one anew: npm run migration -- --again',
    );
  const releases = await readReleases();
  const migrations = await readMigrations();
  const newest = migrations.at(-1)?.name ?? '';
  if (values.again && releases.some((release) => newest in release.migrations))
    throw new StartError(
      `${newest} is released and never changes: npm run migration -- SUBJECT makes a new one.`,
    );
  const name = values.again
    ? newest
    : nextMigration(
        migrations.map((migration) => migration.name),
        subject,
        new Date(),
      );
  const path = join(migrationsFolder, name);
  const file = join(projectRoot, path);
  const made = await makeMigration(
    await readSchemas(),
    migrations.filter((migration) => migration.name !== name),
    values.again ? readMigration(await readFile(file, 'utf8')) : emptyMigration,
    releases.at(-1),
    createPgliteDatabase,
  );
  await writeFile(file, made.text, { flag: values.again ? 'w' : 'wx' });
  say(path);
  const byHand = [...made.plan.before, ...made.plan.after];
  if (byHand.length > 0)
    warn(
      `By hand in this file, then npm run migration -- --again:\n${byHand.map((line) => `  ${line}`).join('\n')}`,
    );
  if (made.fault !== null) warn(`It does not run yet: ${made.fault}`);
}

try {
  await run();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  warn(error.message);
  process.exitCode = 1;
}
