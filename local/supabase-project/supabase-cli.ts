import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isThisMachine } from '#core/platform/this-machine.ts';
import { planRepair, readHistory } from '#local/shared/migration-history.ts';
import { readReleases } from '#local/shared/releases.ts';
import { projectRoot, readSettings } from '#local/shared/settings.ts';
import { StartError } from '#local/shared/start-error.ts';
import { connectToDatabase } from '#local/emulators/supabase/database/project.ts';
import { sendEmailAddress } from '#local/emulators/supabase/auth/send-email-hook.ts';
import { hookForwarderAddress } from './hook-forwarder.ts';

/** npm fetches it with its program for this machine, once. */
const supabaseCli = 'supabase@3.1.0';

/** The CLI reads all of supabase/config.toml first, and refuses to run while these are not set. Migrations use none of them. */
const unusedSettings = {
  AUTH_CAPTCHA: 'false',
  SHOP_AUTH_PAGE: 'http://localhost:8888/auth',
  SEND_EMAIL_HOOK_SECRET: `v1,whsec_${Buffer.alloc(32).toString('base64')}`,
};

/** The variables of supabase/config.toml that follow from others. Supabase in containers of this machine calls its host. */
function derivedVariables([command]: readonly string[]): Record<string, string> {
  if (command === 'start')
    return { SHOP_SEND_EMAIL_HOOK: hookForwarderAddress(readSettings().port) };
  const page = process.env['SHOP_AUTH_PAGE'] ?? unusedSettings.SHOP_AUTH_PAGE;
  if (!URL.canParse(page)) throw new StartError(`SHOP_AUTH_PAGE is no address: ${page}.`);
  return { SHOP_SEND_EMAIL_HOOK: sendEmailAddress(new URL(page).origin) };
}

/** Runs a program in this terminal, with more variables if given. Throws StartError when it fails. */
export function run(
  program: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): void {
  const { status, error } = spawnSync(program, words, {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...unusedSettings, ...process.env, ...variables },
    shell: process.platform === 'win32' && program === 'npx',
  });
  if (error) throw new StartError(`${program} cannot be started: ${error.message}.`);
  if (status !== 0) throw new StartError(`${program} ended with code ${String(status)}.`);
}

/** Runs Supabase's CLI, with more variables if given. Throws StartError when it fails. */
export function runSupabase(
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): void {
  run('npx', ['--yes', supabaseCli, ...words], { ...derivedVariables(words), ...variables });
}

/**
 * Applies the migrations that the database lacks, after its history has the baseline in place of what that replaces: the CLI
 * refuses a history with migrations that this checkout no longer has. The password goes by the environment, because `ps` shows
 * parameters to every user of this machine. Without PGSSLMODE the CLI goes on without TLS when the server offers none; with
 * PGSSLROOTCERT the server's certificate is checked, too. Throws StartError when it fails, and for a database that is too old.
 */
export async function pushMigrations(databaseUrl: string): Promise<void> {
  const authority = process.env['PGSSLROOTCERT'];
  const database = await connectToDatabase(databaseUrl, authority);
  const history = await readHistory(database.query).finally(database.close);
  const repair = planRepair(await readReleases(), history);
  const remote = new URL(databaseUrl);
  const PGPASSWORD = decodeURIComponent(remote.password);
  remote.password = '';
  const remoteMode = authority ? 'verify-full' : 'require';
  const PGSSLMODE =
    process.env['PGSSLMODE'] ?? (isThisMachine(remote.hostname) ? 'prefer' : remoteMode);
  const onRemote = (...words: readonly string[]): void => {
    runSupabase([...words, '--yes', `--remote=${remote.href}`], { PGPASSWORD, PGSSLMODE });
  };
  if (repair) {
    // The baseline first: whatever stops this, the history still has all of one or the other.
    onRemote('migration', 'repair', '--status', 'applied', ...repair.applied);
    onRemote('migration', 'repair', '--status', 'reverted', ...repair.reverted);
  }
  onRemote('db', 'push');
}

/**
 * Throws StartError while a variable of supabase/config.toml is missing: a push without it would turn the security check off, or
 * leave Auth without a hook to send its mails by.
 */
export async function requireSettings(): Promise<void> {
  const config = await readFile(join(projectRoot, 'supabase/config.toml'), 'utf8');
  const own = derivedVariables(['config']);
  const missing = [...new Set(config.match(/(?<=^[^#\n]*env\()\w+(?=\))/gmu))].filter(
    (name) => process.env[name] === undefined && !Object.hasOwn(own, name),
  );
  if (missing.length > 0)
    throw new StartError(
      `supabase/config.toml needs ${missing.join(', ')}, which the environment does not have: docs/going-live.md has the lines in step 8.`,
    );
}

/**
 * Sends supabase/config.toml with the shop's own values. The CLI shows each change and asks. Throws StartError as `requireSettings`
 * does, and when the push fails.
 * @param more Words after `config push`.
 */
export async function pushSettings(more: readonly string[] = []): Promise<void> {
  await requireSettings();
  runSupabase(['config', 'push', ...more]);
}
