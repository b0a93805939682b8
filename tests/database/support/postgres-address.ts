import type pg from 'pg';

/** The role that a hosted project's platform acts as; its password here is its name. */
export const superuser = 'supabase_admin';

/**
 * The migrated databases that new ones are copied from: of a project that hands new tables to the API's roles, and of one
 * that does not, as all since 30 October 2026.
 */
export const templates = {
  exposed: 'migrated_exposed',
  explicitGrants: 'migrated_explicit_grants',
} as const;

/** How the tests reach one database of the server on this port. */
export const addressOf = (port: number, database: string, user = 'postgres'): pg.ClientConfig => ({
  host: '127.0.0.1',
  port,
  user,
  password: user,
  database,
});
