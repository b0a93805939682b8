import { readFile } from 'node:fs/promises';
import { messageOf, warn } from '#local/shared/log.ts';
import { StartError } from '#local/shared/start-error.ts';
import type { BackupKey } from './backup-file.ts';
import { connectToDataFolder } from './shop-data.ts';
import { connectToProject, type ShopData } from '#local/emulators/supabase/database/project.ts';

/** The options that both commands have. */
export const sharedOptions = {
  'env-file': { type: 'string' },
  embedded: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

export const sharedUsage = `  --env-file FILE   reads the variables from a file: DATABASE_URL, SUPABASE_URL, SUPABASE_SECRET_KEY
  --embedded        the shop of \`npm start\` in SHOP_DATA_DIR, while it does not run`;

interface Where {
  'env-file'?: string | undefined;
  embedded: boolean;
}

/** Does the work with the data of the shop that the options name, and closes it. */
export async function withShop<T>(where: Where, work: (data: ShopData) => Promise<T>): Promise<T> {
  const data = where.embedded ? await connectToDataFolder() : await connectToProject(process.env);
  try {
    return await work(data);
  } finally {
    await data.close();
  }
}

/** The key of the environment. BACKUP_IDENTITY is the path of a file that `age-keygen` wrote. */
export async function readKey(env: NodeJS.ProcessEnv): Promise<BackupKey> {
  const file = env['BACKUP_IDENTITY'];
  const identity = file
    ? /^AGE-SECRET-KEY-\S+$/mu.exec(await readFile(file, 'utf8'))?.[0]
    : undefined;
  if (file && identity === undefined) throw new StartError(`${file} has no AGE-SECRET-KEY in it.`);
  return {
    passphrase: env['BACKUP_PASSPHRASE'] || undefined,
    recipient: env['BACKUP_RECIPIENT'] || undefined,
    identity,
  };
}

/** Runs a command. What stands in its way is one sentence and exit code 1. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    warn(error instanceof StartError ? error.message : `It did not work: ${messageOf(error)}`);
    process.exitCode = 1;
  }
}
