import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { projectRoot } from './settings.ts';
import type { SqlFile } from './sql-files.ts';

/** SHA-256 by file name. */
export const checksumsSchema = z.record(z.string(), z.string());
type Checksums = z.infer<typeof checksumsSchema>;

const releaseSchema = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+$/u),
  date: z.iso.date(),
  /** The commit whose sources the release is. */
  commit: z.string().regex(/^[\da-f]{40}$/u),
  /** Every migration of the release. */
  migrations: checksumsSchema,
});
export type Release = z.infer<typeof releaseSchema>;

export const releasesFile = 'releases.json';

/** Every release, oldest first. */
export async function readReleases(root = projectRoot): Promise<Release[]> {
  return z.array(releaseSchema).parse(JSON.parse(await readFile(join(root, releasesFile), 'utf8')));
}

/** The migrations of this checkout, in order. */
export async function readMigrationChecksums(root = projectRoot): Promise<Checksums> {
  const folder = join(root, 'supabase/migrations');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const entries = files.map(async (name): Promise<[string, string]> => [
    name,
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex'),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * The file name of a new migration, 'YYYYMMDDhhmmss_subject.sql' (UTC): the time of its making, or a second after the last one where
 * that is later. Migrations run in the order of their names.
 */
export function nextMigration(files: readonly string[], subject: string, now: Date): string {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_/u.exec([...files].sort().at(-1) ?? '') ?? [];
  const last = Date.parse(
    `${year ?? ''}-${month ?? ''}-${day ?? ''}T${hour ?? ''}:${minute ?? ''}:${second ?? ''}Z`,
  );
  const at = new Date(Number.isNaN(last) ? now : Math.max(now.getTime(), last + 1_000));
  return `${at.toISOString().replaceAll(/\D/gu, '').slice(0, 14)}_${subject}.sql`;
}

/** Faults against the rule that released migrations never change: one sentence for each file. */
export function findChangedMigrations(
  releases: readonly Release[],
  current: Readonly<Checksums>,
): string[] {
  const released = new Map(
    releases.flatMap(({ version, migrations }) =>
      Object.entries(migrations).map(([file, hash]) => [file, { version, hash }] as const),
    ),
  );
  const last = [...released.keys()].sort().at(-1) ?? '';
  const changed = [...released].flatMap(([file, { version, hash }]) => {
    if (!(file in current)) return [`${file} is gone: it belongs to ${version}.`];
    return current[file] === hash
      ? []
      : [`${file} has changed since ${version}: put it back, and add a file for the change.`];
  });
  const early = Object.keys(current)
    .filter((file) => !released.has(file) && file < last)
    .map((file) => `${file} runs before ${last}, which is released: give it a later time.`);
  return [...changed, ...early];
}

/** Migrations with lines of `npm run migration` that wait for their author: one sentence for each file. */
export const findUnfinished = (files: readonly SqlFile[]): string[] =>
  files
    .filter(({ sql }) => /^-- BY HAND\b/mu.test(sql))
    .map(({ name }) => `${name} has lines "-- BY HAND": write what they name, then delete them.`);

/** The release that a database with these migrations (their times) is at, for a sentence. */
export function describeVersion(releases: readonly Release[], applied: readonly string[]): string {
  const timesOf = ({ migrations }: Release): string[] =>
    Object.keys(migrations).map((file) => file.slice(0, 14));
  const release = releases.findLast((one) => timesOf(one).every((time) => applied.includes(time)));
  const last = [...applied].sort().at(-1);
  if (last === undefined) return 'at no migration';
  const known = release ? timesOf(release) : [];
  const more = applied.filter((time) => !known.includes(time)).length;
  if (!release) return `at migration ${last}, of no release`;
  if (more === 0) return `at ${release.version}`;
  return `at ${release.version} and ${String(more)} later migration${more === 1 ? '' : 's'}, the last ${last}`;
}
