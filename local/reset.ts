/* `npm run reset`: empties the data folder, unless a shop runs on it. */
import { readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolderAt, isDataFolder } from './data-folder/data-folder.ts';
import { say, warn } from './shared/log.ts';
import { findRunning } from './data-folder/running.ts';
import { readSettings } from './shared/settings.ts';
import { StartError } from './shared/start-error.ts';

async function reset(): Promise<string> {
  const { dataDir } = readSettings();
  if (!(await stat(dataDir).catch(() => null))) return `Nothing to do: there is no ${dataDir}.`;
  if (!(await isDataFolder(dataDir)))
    throw new StartError(`${dataDir} does not look like a shop's data folder: it stays as it is.`);
  const running = await findRunning(dataFolderAt(await realpath(dataDir)));
  if (running)
    throw new StartError(
      `A shop runs at ${running.url} (process ${String(running.pid)}): stop it first.`,
    );
  // Keeps the folder itself, which may be a mount point.
  for (const name of await readdir(dataDir))
    await rm(join(dataDir, name), { recursive: true, force: true });
  return `Emptied ${dataDir}. The next start fills it again.`;
}

try {
  say(await reset());
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  warn(error.message);
  process.exitCode = 1;
}
