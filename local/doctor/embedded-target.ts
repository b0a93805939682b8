import * as z from 'zod';
import { prepareDataFolder } from '#local/data-folder/data-folder.ts';
import { readJson } from '#local/data-folder/files.ts';
import { loadSecrets } from '#local/data-folder/secrets.ts';
import { functionEnvironment, publicEnvironment } from '#local/stack/environment.ts';
import { readSettings } from '#local/shared/settings.ts';
import { StartError } from '#local/shared/start-error.ts';
import type { Target } from './check.ts';

const runningSchema = z.object({ url: z.string(), payments: z.string(), smtpPort: z.int() });

/** The embedded stack that runs on SHOP_DATA_DIR, with the variables of its functions. Throws StartError when none runs. */
export async function embeddedTarget(): Promise<
  Pick<Target, 'env' | 'context' | 'site' | 'embedded'>
> {
  const settings = readSettings();
  const folder = await prepareDataFolder(settings.dataDir);
  const running = await readJson(folder.running, runningSchema);
  if (!running)
    throw new StartError(
      `No stack runs on ${folder.root}: start it with \`npm start\`, or leave --embedded away.`,
    );
  const addresses = {
    origin: running.url,
    sandboxOrigin: new URL(running.payments).origin,
    turnstile: settings.turnstile,
    checkout: settings.checkout,
    supabaseUrl: running.url,
  };
  const secrets = await loadSecrets(folder, settings);
  const env = {
    ...publicEnvironment(addresses, secrets),
    ...functionEnvironment(addresses, secrets, running.smtpPort),
  };
  // A stack that was started a moment ago has not swept yet; on Netlify five minutes pass between deploy and first sweep.
  await fetch(new URL('/local/sweep', running.url), { method: 'POST' });
  return { env, context: 'dev', site: running.url, embedded: true };
}
