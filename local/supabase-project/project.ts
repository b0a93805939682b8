import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import * as z from 'zod';
import { hookSecretPattern } from '#core/platform/variables.ts';
import { connectToProject, type ShopData } from '#local/emulators/supabase/database/project.ts';
import type { DataFolder } from '#local/data-folder/data-folder.ts';
import { readJson, writeJson } from '#local/data-folder/files.ts';
import type { CreateAccount } from '#local/demo/customer.ts';
import { StartError } from '#local/shared/start-error.ts';
import { pushMigrations } from './supabase-cli.ts';

const address = (protocol: RegExp, sentence: string) => z.url({ protocol, error: sentence });
const projectSchema = z.object({
  SUPABASE_URL: address(/^https?$/u, 'SUPABASE_URL is the address of the project.').transform(
    (url) => url.replace(/\/+$/u, ''),
  ),
  SUPABASE_PUBLISHABLE_KEY: z.string('SUPABASE_PUBLISHABLE_KEY is missing.').min(1),
  SUPABASE_SECRET_KEY: z.string('SUPABASE_SECRET_KEY is missing.').min(1),
  DATABASE_URL: address(
    /^postgres(?:ql)?$/u,
    'DATABASE_URL is the connection string of the database.',
  ),
  SEND_EMAIL_HOOK_SECRET: z
    .string('SEND_EMAIL_HOOK_SECRET is missing.')
    .regex(hookSecretPattern, 'SEND_EMAIL_HOOK_SECRET is no secret of a hook.'),
});

/** Access to a Supabase project that is not embedded: one of `npx supabase start`, a hosted one for tests, or servers built from source. */
export type SupabaseProject = z.infer<typeof projectSchema>;

/** Reads the file that SHOP_SUPABASE names. Throws StartError. */
export function readProject(file: string): SupabaseProject {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new StartError(`The file of SHOP_SUPABASE, ${file}, cannot be read.`);
  }
  const { success, data, error } = projectSchema.safeParse(parseEnv(text));
  if (success) return data;
  throw new StartError(`${file}: ${error.issues.map(({ message }) => message).join(' ')}`);
}

const markSchema = z.object({ url: z.string() });
const markOf = ({ root }: DataFolder): string => join(root, 'supabase-project.json');

/** Throws StartError when the folder belongs to another database: its payments and mails would be about orders that are not there. */
export async function checkFolder(
  folder: DataFolder,
  project: SupabaseProject | null,
): Promise<void> {
  const mark = await readJson(markOf(folder), markSchema);
  if (mark === null || mark.url === project?.SUPABASE_URL) return;
  throw new StartError(
    `${folder.root} holds the mails and payments of ${mark.url}: set SHOP_DATA_DIR to another folder.`,
  );
}

/** A project as the stack uses it. */
export interface OpenProject extends Pick<ShopData, 'query' | 'close'> {
  client: SupabaseClient;
  createAccount: CreateAccount;
  /** Whether the catalogue has no product. */
  isEmpty: boolean;
}

/**
 * Opens the project of SHOP_SUPABASE and applies the migrations that it lacks, by the same way as for a live shop. Throws StartError,
 * also for a project with orders that this folder does not know: the stack would ask its sandbox for their payments, cancel
 * them, and mail their customers.
 */
export async function connectProject(
  folder: DataFolder,
  project: SupabaseProject,
): Promise<OpenProject> {
  const { query, close } = await connectToProject({ ...process.env, ...project });
  const isKnown = (await readJson(markOf(folder), markSchema)) !== null;
  const [table] = await query<{ found: boolean }>(
    `select to_regclass('public.orders') is not null as found`,
  );
  if (!isKnown && table?.found === true && process.env['SHOP_SUPABASE_ORDERS'] !== 'keep') {
    const [orders] = await query<{ count: number }>('select count(*)::int from public.orders');
    if (orders && orders.count > 0) {
      await close();
      throw new StartError(
        `${project.SUPABASE_URL} has ${String(orders.count)} orders that were not made here. Take an empty project. To go on nevertheless, never with a live shop, set SHOP_SUPABASE_ORDERS=keep.`,
      );
    }
  }
  await pushMigrations(project.DATABASE_URL);
  await writeJson(markOf(folder), { url: project.SUPABASE_URL });
  const client = createClient(project.SUPABASE_URL, project.SUPABASE_SECRET_KEY, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const [products] = await query('select from public.products limit 1');
  return {
    query,
    close,
    client,
    isEmpty: products === undefined,
    async createAccount({ email, password, data }) {
      const { admin } = client.auth;
      const made = await admin.createUser({ email, email_confirm: true, user_metadata: data });
      if (made.error?.code === 'email_exists') return;
      if (made.error) throw made.error;
      // Afterwards, because a confirmation removes the password.
      const { error } = await admin.updateUserById(made.data.user.id, { password });
      if (error) throw error;
    },
  };
}
