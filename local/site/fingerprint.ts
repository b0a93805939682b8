import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import * as z from 'zod';
import { projectRoot } from '../stack/settings.ts';

const folders = ['src', 'public'];
const configFiles = /^(?:astro\.config\.\w+|tailwind\.config\.\w+|tsconfig\.json|package\.json|package-lock\.json)$/u;

/** A text that changes when a build would come out differently: sources, settings, public variables, catalogue. */
export async function fingerprintSite(env: Record<string, string>): Promise<string> {
  const hash = createHash('sha256');
  const configs = (await readdir(projectRoot)).filter((name) => configFiles.test(name));
  const sources = await Promise.all(folders.map(async (name) => listFiles(name)));
  for (const path of [...configs, ...sources.flat()].sort()) {
    hash.update(path).update('\0').update(await readFile(join(projectRoot, path))).update('\0');
  }
  hash.update(JSON.stringify(env)).update(JSON.stringify(await readCatalogueState(env)));
  return hash.digest('hex');
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

const newestSchema = z.array(z.object({ updated_at: z.string() }));

/** How many pieces there are and when one last changed. Throws when the catalogue cannot be read. */
async function readCatalogueState(env: Record<string, string>): Promise<unknown> {
  const database = createClient(env['PUBLIC_SUPABASE_URL'] ?? '', env['PUBLIC_SUPABASE_PUBLISHABLE_KEY'] ?? '', {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const { data, count, error } = await database
    .from('products')
    .select('updated_at', { count: 'exact' })
    .order('updated_at', { ascending: false })
    .limit(1);
  if (error) throw new Error(`the catalogue cannot be read (${error.message})`);
  return [count, newestSchema.parse(data)];
}
