/* `npm run release`: writes the version of package.json, its commit and its migrations into releases.json, and commits that file. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '#core/platform/version.ts';
import { writeFileAtomically } from './data-folder/files.ts';
import { findExpired } from './shared/contract.ts';
import { say, warn } from './shared/log.ts';
import { findBaselineRelease, makeBaseline } from './baseline/make-baseline.ts';
import { findChangedMigrations } from './shared/migration-history.ts';
import { createPgliteDatabase } from './shared/pglite-database.ts';
import {
  findUnfinished,
  readMigrationChecksums,
  readReleases,
  releasesFile,
  type Release,
} from './shared/releases.ts';
import { projectRoot } from './shared/settings.ts';
import { readMigrations } from './shared/sql-files.ts';
import { StartError } from './shared/start-error.ts';

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8' }).trim();

/** The files in which something may stay for an older release. */
const readSources = (): Promise<{ path: string; text: string }[]> =>
  Promise.all(
    git('ls-files', '--', 'supabase/schemas', 'src', 'netlify', 'local')
      .split('\n')
      .filter((path) => /\.(?:sql|tsx?|astro)$/u.test(path))
      .map(async (path) => ({ path, text: await readFile(join(projectRoot, path), 'utf8') })),
  );

async function release(): Promise<string> {
  if (git('status', '--porcelain') !== '')
    throw new StartError('There are changes that are not committed: commit them first.');
  const releases = await readReleases();
  if (releases.some((one) => one.version === version))
    throw new StartError(
      `${version} is released already: raise the version in package.json with \`npm version --no-git-tag-version\`.`,
    );
  const changelog = await readFile(join(projectRoot, 'CHANGELOG.md'), 'utf8');
  const [, named, date = ''] = /^## (\S+) \((\d{4}-\d\d-\d\d)\)$/mu.exec(changelog) ?? [];
  if (named !== version)
    throw new StartError(
      `The first section of CHANGELOG.md must be "## ${version} (YYYY-MM-DD)": add it.`,
    );
  const [, section = ''] = changelog.split(/^## /mu);
  if (section.split(/^### /mu)[1]?.startsWith('Breaking\n') !== true)
    throw new StartError(
      `The section of ${version} in CHANGELOG.md must begin with "### Breaking": add it, with "Nothing." when nothing breaks.`,
    );
  const migrations = await readMigrationChecksums();
  const changed = findChangedMigrations(releases, migrations);
  const faults = [...changed, ...findUnfinished(await readMigrations())];
  if (faults.length > 0) throw new StartError(faults.join('\n'));
  const expired = findExpired(await readSources(), releases);
  if (expired.length > 0)
    throw new StartError(
      `These serve releases before ${releases.at(-2)?.version ?? ''}. Take them out:\n${expired.join('\n')}`,
    );
  const older = findBaselineRelease(releases, version);
  if (older && !older.baseline) {
    const path = await makeBaseline(releases, older, await readMigrations(), createPgliteDatabase);
    throw new StartError(
      `${path} now stands for the migrations up to ${older.version}. Run \`npm test\`, commit the change, then run \`npm run release\` again.`,
    );
  }
  const commit = git('rev-parse', 'HEAD');
  const made: Release = { version, date, commit, migrations };
  const text = `${JSON.stringify([...releases, made], null, 2)}\n`;
  await writeFileAtomically(join(projectRoot, releasesFile), text, 0o644);
  git('commit', '--quiet', '--message', `chore(release): ${version}`, '--', releasesFile);
  return `${version} is released: ${made.commit}, with ${String(Object.keys(migrations).length)} migrations.`;
}

try {
  say(await release());
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  warn(error.message);
  process.exitCode = 1;
}
