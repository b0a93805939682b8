import { resolve } from 'node:path';
import * as z from 'zod';
import type { CheckoutState } from '#domain/checkout/checkout-state.ts';
import { StartError } from './start-error.ts';

/** The repository's root: the embedded stack serves the project it lies in, wherever it is started from. */
export const projectRoot = resolve(import.meta.dirname, '../..');

const given = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

const settingsSchema = z.object({
  PORT: given(
    z.coerce.number<string>('PORT is not a number').int().min(1).max(65_535).default(8888),
  ),
  SHOP_DATA_DIR: given(z.string().optional()),
  ADMIN_PASSWORD: given(z.string().max(200).optional()),
  SHOP_TURNSTILE: given(z.stringbool('SHOP_TURNSTILE is 1 or 0').default(false)),
  SHOP_CHECKOUT: given(
    z.enum(['open', 'test', 'closed'], 'SHOP_CHECKOUT is open, test or closed').default('open'),
  ),
  SHOP_SUPABASE: given(z.string().optional()),
  CONTEXT: given(z.string().optional()),
});

/** Settings of the embedded stack that the environment may have. */
export interface Settings {
  port: number;
  /** `http://localhost:<port>`, without a slash at the end: the address of everything but the payment sandbox. */
  origin: string;
  /** `http://127.0.0.1:<port>`: the payment sandbox is at another origin than the shop, as the real provider is. */
  sandboxOrigin: string;
  /** Absolute. Relative values are taken from the project's root, so that a start from elsewhere finds them. */
  dataDir: string;
  adminPassword: string | undefined;
  /** Whether the forms carry the security check, with a stand-in for Turnstile. */
  turnstile: boolean;
  /** Whether the shop sells, or is shown as a live site with test keys or without keys. */
  checkout: CheckoutState;
  /** The file with the access to a Supabase project in place of the embedded one, absolute; null for the embedded one. */
  supabaseFile: string | null;
}

/** Reads PORT, SHOP_DATA_DIR, ADMIN_PASSWORD, SHOP_TURNSTILE, SHOP_CHECKOUT and SHOP_SUPABASE. Throws StartError on values that cannot be used. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const parsed = settingsSchema.safeParse(env);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    throw new StartError(`The value of ${names.join(' and ')} in the environment cannot be used.`);
  }
  const {
    PORT,
    SHOP_DATA_DIR,
    ADMIN_PASSWORD,
    SHOP_TURNSTILE,
    SHOP_CHECKOUT,
    SHOP_SUPABASE,
    CONTEXT,
  } = parsed.data;
  // The payments and mails of one database are nothing for another.
  const usualFolder = SHOP_SUPABASE === undefined ? '.local' : '.local-supabase';
  if (CONTEXT === 'production') {
    throw new StartError(
      'The embedded stack is for development: it does not start with CONTEXT=production.',
    );
  }
  return {
    port: PORT,
    origin: originAt('localhost', PORT),
    sandboxOrigin: originAt('127.0.0.1', PORT),
    dataDir: resolve(projectRoot, SHOP_DATA_DIR ?? usualFolder),
    adminPassword: ADMIN_PASSWORD,
    turnstile: SHOP_TURNSTILE,
    checkout: SHOP_CHECKOUT,
    supabaseFile: SHOP_SUPABASE === undefined ? null : resolve(projectRoot, SHOP_SUPABASE),
  };
}

/** The address of this port under a name of the machine, as browsers write it: without the port 80. */
export const originAt = (host: string, port: number): string =>
  new URL(`http://${host}:${String(port)}`).origin;
