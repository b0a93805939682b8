import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { projectRoot } from './settings.ts';
import type { SqlFile } from './sql-files.ts';

/** SHA-256 by file name. */
export const checksumsSchema = z.record(z.string(), z.string());
export type Checksums = z.infer<typeof checksumsSchema>;

const releaseSchema = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+$/u),
  date: z.iso.date(),
  /** The commit whose sources the release is. */
  commit: z.string().regex(/^[\da-f]{40}$/u),
  /** Every migration of the release. */
  migrations: checksumsSchema,
  /** The one file that has been put in place of all of them, with its SHA-256. Its time is that of the last of them. */
  baseline: z
    .object({ file: z.string().regex(/^\d{14}_baseline\.sql$/u), sha256: z.string() })
    .optional(),
});
export type Release = z.infer<typeof releaseSchema>;

export const releasesFile = 'releases.json';

/** The time that the name of a migration begins with, by which a database knows it. */
export const timeOf = (file: string): string => file.slice(0, 14);

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

/** Migrations with lines of `npm run migration` that wait for their author: one sentence for each file. */
export const findUnfinished = (files: readonly SqlFile[]): string[] =>
  files
    .filter(({ sql }) => /^-- BY HAND\b/mu.test(sql))
    .map(({ name }) => `${name} has lines "-- BY HAND": write what they name, then delete them.`);
