/*
 * `npm run supabase -- config push`: Supabase's CLI with the variables that supabase/config.toml takes from the shop's settings.
 * The CLI reads that file at every command, and refuses to run without them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './backup/command-line.ts';
import { loadEnvFile } from './shared/env-file.ts';
import { projectRoot } from './shared/settings.ts';
import { pushSettings, runSupabase } from './supabase-project/supabase-cli.ts';

const words = process.argv.slice(2);
await runCommand(async () => {
  const file = join(projectRoot, '.env');
  if (existsSync(file)) loadEnvFile(file);
  if (words[0] === 'config' && words[1] === 'push') await pushSettings(words.slice(2));
  else runSupabase(words);
});
