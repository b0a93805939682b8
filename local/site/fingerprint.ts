import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import * as z from 'zod';
import { projectRoot } from '../stack/settings.ts';

const folders = ['src', 'public'];
const configFiles = /^(?:astro\.config\.\w+|tailwind\.config\.\w+|tsconfig\.json|package\.json|package-lock\.json)$/u;

/** A text that changes when a build of the same catalogue would come out differently: sources, settings, variables. */
export async function fingerprintSources(env: Record<string, string>): Promise<string> {
  const hash = createHash('sha256');
  const configs = (await readdir(projectRoot)).filter((name) => configFiles.test(name));
  const sources = await Promise.all(folders.map(async (name) => listFiles(name)));
  for (const path of [...configs, ...sources.flat()].sort()) {
    hash.update(path).update('\0').update(await readFile(join(projectRoot, path))).update('\0');
  }
  return hash.update(JSON.stringify(env)).digest('hex');
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(join(projectRoot, folder), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(projectRoot.length + 1));
  } catch {
    return [];
  }
}

const versionSchema = z.tuple([z.object({ version: z.int() })]);

/** The number of the catalogue's last change. Throws when it cannot be read. */
export async function readCatalogueVersion(env: Record<string, string>): Promise<number> {
  const database = createClient(env['PUBLIC_SUPABASE_URL'] ?? '', env['PUBLIC_SUPABASE_PUBLISHABLE_KEY'] ?? '', {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const { data, error } = await database.from('catalogue_version').select('version');
  if (error) throw new Error(`the catalogue cannot be read (${error.message})`);
  return versionSchema.parse(data)[0].version;
}
