import type { SupabaseClient } from '@supabase/supabase-js';
import * as environment from './environment.ts';
import { localTexts } from './storage/browser-storage.ts';
import { rememberAccount } from './storage/stored-account-mark.ts';
import { sessionStorageKey } from './storage/stored-session.ts';

let client: Promise<SupabaseClient> | null = null;

async function createBrowserClient(): Promise<SupabaseClient> {
  const { createClient } = await import('@supabase/supabase-js');
  const created = createClient(environment.supabaseUrl, environment.supabaseKey, {
    // `mailed-link.ts` reads the links of mails and explains invalid ones.
    auth: {
      storage: localTexts,
      storageKey: sessionStorageKey,
      autoRefreshToken: true,
      persistSession: true,
      detectSessionInUrl: false,
    },
  });
  // Every way to sign in comes by here, and so does a session of an earlier visit.
  created.auth.onAuthStateChange((_event, session) => {
    if (session) rememberAccount();
  });
  return created;
}

/** The one Supabase client of the page, loaded when first needed. Rejects when its code cannot be fetched. */
export function getSupabase(): Promise<SupabaseClient> {
  client ??= createBrowserClient().catch((error: unknown) => {
    client = null;
    throw error;
  });
  return client;
}

/** A separate client without storage, so that its session is not the page's. Rejects like `getSupabase`. */
export async function createPassingClient(): Promise<SupabaseClient> {
  const { createClient } = await import('@supabase/supabase-js');
  return createClient(environment.supabaseUrl, environment.supabaseKey, {
    auth: {
      storageKey: `${sessionStorageKey}:passing`,
      autoRefreshToken: false,
      persistSession: false,
      detectSessionInUrl: false,
    },
  });
}
