import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { variables } from '#core/platform/variables.ts';
import { projectRoot } from '#local/shared/settings.ts';
import { type Check, type Target, valueOf } from './check.ts';

const hasValue = (target: Target, name: string): boolean => valueOf(target, name) !== '';
const list = (found: readonly string[], what: string): string | null =>
  found.length === 0 ? null : `${found.join(', ')} ${what}`;

/** The role in a legacy Supabase key, which is a JWT; null for anything else. */
function roleOf(key: string): unknown {
  try {
    return (
      (
        JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString()) as {
          role?: unknown;
        }
      ).role ?? null
    );
  } catch {
    return null;
  }
}
/** The variables that hold such keys. */
const databaseKeys = ['PUBLIC_SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_SECRET_KEY'];
const isSecretKey = (key: string): boolean =>
  key.startsWith('sb_secret_') || roleOf(key) === 'service_role';
const isPublicKey = (key: string): boolean =>
  key.startsWith('sb_publishable_') || roleOf(key) === 'anon';

/** The command that makes a value, from where the table says that it is from; '' for none. */
const commandIn = (from: string): string => /`npm run [\w-]+`/u.exec(from)?.[0] ?? '';

/** Checks of the variables' text. They need no network. */
export const variableChecks: readonly Check[] = [
  {
    name: 'Every variable that the shop needs is set',
    run: (target) =>
      list(
        Object.entries(variables)
          .filter(
            ([name, { use, contexts }]) =>
              use === 'needed' &&
              (contexts !== 'production' || target.context === 'production') &&
              !hasValue(target, name),
          )
          .map(([name]) => name),
        'is not set.',
      ),
    fix: 'Set it in Netlify under Project configuration, Environment variables. The table in docs/going-live.md says where each value is found.',
  },
  {
    name: 'Every variable has the form of its kind',
    run: (target) =>
      list(
        Object.entries(variables)
          .filter(
            ([name, { use, schema }]) =>
              use !== 'platform' &&
              hasValue(target, name) &&
              !schema.safeParse(valueOf(target, name)).success,
          )
          .map(([name, { from }]) => (commandIn(from) ? `${name} (${commandIn(from)})` : name)),
        'cannot be used as it is written.',
      ),
    fix: 'Addresses begin with https://. Where a command is named, the value is the whole line that it prints. ADMIN_PASSWORD_HASH has dollar signs: use single quotes in a shell.',
  },
  {
    name: 'No variable has the value of .env.example',
    run: (target) => {
      const examples = parseEnv(readFileSync(join(projectRoot, '.env.example'), 'utf8'));
      return list(
        Object.entries(examples)
          .filter(([name, value]) => value !== '' && valueOf(target, name) === value)
          .map(([name]) => name),
        'still has the example’s value.',
      );
    },
    fix: 'These values only show the form. The table in docs/going-live.md says where each real one is found.',
  },
  {
    name: 'Each key of Supabase is in its place',
    run: (target) => {
      const pages = valueOf(target, 'PUBLIC_SUPABASE_PUBLISHABLE_KEY');
      const functions = valueOf(target, 'SUPABASE_SECRET_KEY');
      if (isSecretKey(pages))
        return 'PUBLIC_SUPABASE_PUBLISHABLE_KEY is the SECRET key: with it everyone who opens a page may read and write everything.';
      if (pages !== '' && !isPublicKey(pages))
        return 'PUBLIC_SUPABASE_PUBLISHABLE_KEY is not a publishable key of Supabase.';
      return functions === '' || isSecretKey(functions)
        ? null
        : 'SUPABASE_SECRET_KEY is not a secret key of Supabase: the functions may do nothing with it.';
    },
    fix: 'Supabase, Project Settings, API Keys: sb_publishable_… for the pages, sb_secret_… for the functions. If the secret one was ever deployed in the pages, replace it now.',
  },
  {
    name: 'The keys of Supabase are the new ones',
    run: (target) =>
      list(
        databaseKeys.filter((name) => roleOf(valueOf(target, name)) !== null),
        'is an old JWT key (anon, service_role). Supabase deprecates these by the end of 2026.',
      ),
    fix: 'Supabase, Settings, API Keys, tab "API Keys": take the publishable key (sb_publishable_…) and a secret key (sb_secret_…), set them in Netlify, and deploy. Then deactivate the old ones under "Legacy API Keys".',
  },
  {
    name: 'Pages and functions use the same database',
    run: (target) => {
      const [pages, functions] = ['PUBLIC_SUPABASE_URL', 'SUPABASE_URL'].map(
        (name) => URL.parse(valueOf(target, name))?.origin,
      );
      return pages === functions
        ? null
        : 'PUBLIC_SUPABASE_URL and SUPABASE_URL name two projects: customers would see another catalogue than they buy from.';
    },
    fix: 'Set both to the Project URL of the same Supabase project.',
  },
  {
    name: 'Turnstile has both of its keys, or neither',
    run: (target) => {
      const [pages, functions] = ['PUBLIC_TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY'].map((name) =>
        hasValue(target, name),
      );
      if (pages === functions) return null;
      return pages
        ? 'TURNSTILE_SECRET_KEY is not set: the functions take the public forms without a check.'
        : 'PUBLIC_TURNSTILE_SITE_KEY is not set: the functions refuse every contact, newsletter and back-in-stock form.';
    },
    fix: 'Set both keys of the same Turnstile widget, or take both away.',
  },
  {
    name: 'Nothing of the embedded stack is set for a deployed site',
    run: (target) =>
      target.embedded
        ? null
        : list(
            Object.entries(variables)
              .filter(([name, { use }]) => use === 'embedded' && hasValue(target, name))
              .map(([name]) => name),
            'is for the embedded stack only.',
          ),
    fix: 'Take it away: without it the real address holds.',
  },
];
