import { createClient } from '@supabase/supabase-js';
import * as z from 'zod';

const versionSchema = z.tuple([z.object({ version: z.int() })]);

/** The number of the catalogue's last change. Throws when it cannot be read. */
export async function readCatalogueVersion(env: Record<string, string>): Promise<number> {
  const database = createClient(
    env['PUBLIC_SUPABASE_URL'] ?? '',
    env['PUBLIC_SUPABASE_PUBLISHABLE_KEY'] ?? '',
    {
      auth: { persistSession: false, autoRefreshToken: false },
    },
  );
  const { data, error } = await database.from('catalogue_version').select('version');
  if (error) throw new Error(`the catalogue cannot be read (${error.message})`);
  return versionSchema.parse(data)[0].version;
}
