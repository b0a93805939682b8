import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '#local/data-folder/files.ts';
import {
  describeDatabase,
  type Database,
  type Description,
} from '#local/shared/describe-database.ts';
import { replacedFiles } from '#local/shared/migration-history.ts';
import { releasesFile, timeOf, type Release } from '#local/shared/releases.ts';
import { projectRoot } from '#local/shared/settings.ts';
import { migrationsFolder, schemaPaths, type SqlFile } from '#local/shared/sql-files.ts';
import { StartError } from '#local/shared/start-error.ts';

const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');

/**
 * The release that the baseline has to be of when `version` is released: the last one of the minor version before the last. So
 * whoever is at that minor version or a later one upgrades straight to `version`. Null for a patch release, which makes none, and
 * while there are no two minor versions.
 */
export function findBaselineRelease(releases: readonly Release[], version: string): Release | null {
  const minors = [...new Set(releases.map((release) => minorOf(release.version)))];
  if (minors.includes(minorOf(version))) return null;
  const minor = minors.at(-2);
  return releases.findLast((release) => minorOf(release.version) === minor) ?? null;
}

/** The file of a commit. Throws StartError when this clone does not have it. */
function readAt(commit: string, path: string): string {
  try {
    return execFileSync('git', ['show', `${commit}:${path}`], {
      cwd: projectRoot,
      encoding: 'utf8',
      maxBuffer: 16e6,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    throw new StartError(`This clone has no ${path} of ${commit}: fetch the whole history.`);
  }
}

/** The baseline of a release: its schema files in the order of its settings, which make the same database as its migrations. */
export function writeBaseline({ version, commit, migrations }: Release): SqlFile {
  const paths = schemaPaths(readAt(commit, 'supabase/config.toml')).map((path) =>
    join('supabase', path),
  );
  const time = Object.keys(migrations).sort().map(timeOf).at(-1) ?? '';
  const parts = paths.map((path) => `-- ${path}\n\n${readAt(commit, path).trim()}\n`);
  const head = `-- The database of ${version}, in place of its ${String(Object.keys(migrations).length)} migrations: supabase/schemas at ${commit.slice(0, 8)}.\n`;
  return { name: `${time}_baseline.sql`, sql: [head, ...parts].join('\n') };
}

/** Makes a database of an empty hosted project on which these files were run. */
type CreateDatabase = (
  files: readonly SqlFile[],
) => Promise<Database & { close: () => Promise<unknown> }>;

async function describe(files: readonly SqlFile[], create: CreateDatabase): Promise<Description> {
  const database = await create(files);
  try {
    return await describeDatabase(database);
  } finally {
    await database.close();
  }
}

/** The objects that two databases have differently. */
const differing = (one: Description, other: Description): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => one.get(name) !== other.get(name),
  );

/**
 * Puts the baseline of a release in place of the files that it replaces, and writes it into releases.json. Throws StartError when it
 * does not make the database that those files make.
 *
 * @param releases - All of them, oldest first.
 * @param migrations - The files of this checkout.
 * @returns the path of the new file.
 */
export async function makeBaseline(
  releases: readonly Release[],
  release: Release,
  migrations: readonly SqlFile[],
  createDatabase: CreateDatabase,
  root = projectRoot,
): Promise<string> {
  const made = writeBaseline(release);
  const sha256 = createHash('sha256').update(made.sql).digest('hex');
  const written = releases.map((one) =>
    one === release ? { ...one, baseline: { file: made.name, sha256 } } : one,
  );
  const replaced = replacedFiles(written);
  const wrong = differing(
    await describe([made], createDatabase),
    await describe(
      migrations.filter(({ name }) => replaced.has(name)),
      createDatabase,
    ),
  );
  if (wrong.length > 0)
    throw new StartError(
      `The schemas of ${release.version} make another database than its migrations: ${wrong.slice(0, 5).join(', ')}.`,
    );
  const folder = join(root, migrationsFolder);
  for (const name of await readdir(folder)) if (replaced.has(name)) await rm(join(folder, name));
  await writeFile(join(folder, made.name), made.sql);
  await writeFileAtomically(
    join(root, releasesFile),
    `${JSON.stringify(written, null, 2)}\n`,
    0o644,
  );
  return join(migrationsFolder, made.name);
}
