import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../shared/settings.ts';
import { StartError } from '../shared/start-error.ts';
import { writeAuthMails } from './auth-mails.ts';

/** npm fetches it with its program for this machine, once. */
const supabaseCli = 'supabase@3.1.0';

/** The CLI reads all of supabase/config.toml first, and refuses to run while these two are not set. Migrations use neither. */
const unusedSettings = { AUTH_CAPTCHA: 'false', AUTH_SMTP_PORT: '587' };

/** The variables of supabase/config.toml that come from the shop's settings. `.temp` is the CLI's own folder, which git ignores. */
const shopVariables = async (): Promise<Record<string, string>> =>
  writeAuthMails(join(projectRoot, 'supabase/.temp/mails'));

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
export async function runSupabase(
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  run('npx', ['--yes', supabaseCli, ...words], { ...(await shopVariables()), ...variables });
}

/**
 * Sends supabase/config.toml with the shop's own values. The CLI shows each change and asks. Throws StartError while a variable of
 * the environment is missing: a push without it would take the sender away, or turn the security check off.
 * @param more Words after `config push`.
 */
export async function pushSettings(more: readonly string[] = []): Promise<void> {
  const config = await readFile(join(projectRoot, 'supabase/config.toml'), 'utf8');
  const own = await shopVariables();
  const missing = [...new Set(config.match(/(?<=^[^#\n]*env\()\w+(?=\))/gmu))].filter(
    (name) => process.env[name] === undefined && !Object.hasOwn(own, name),
  );
  if (missing.length > 0)
    throw new StartError(
      `supabase/config.toml needs ${missing.join(', ')}, which the environment does not have: docs/going-live.md has the lines in step 4.`,
    );
  await runSupabase(['config', 'push', ...more]);
}
