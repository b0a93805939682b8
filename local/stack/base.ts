import { listen, type HttpServer } from '../http/server.ts';
import { prepareDataFolder, type DataFolder } from '../data-folder/data-folder.ts';
import { createRouter, type Router } from './router.ts';
import { lockFolder, unlockFolder } from '../data-folder/running.ts';
import { loadSecrets, type Secrets } from '../data-folder/secrets.ts';
import { originAt, projectRoot, type Settings } from '../shared/settings.ts';
import type { Shutdown } from './shutdown.ts';

/** The base of a stack: a port and a data folder that nothing else uses. */
export interface Base {
  folder: DataFolder;
  secrets: Secrets;
  router: Router;
  server: HttpServer;
}

/** Takes the port and locks the data folder. Throws StartError with a sentence for the person at the terminal. */
export async function openBase(settings: Settings, shutdown: Shutdown): Promise<Base> {
  const { origin, sandboxOrigin, port, dataDir } = settings;
  process.chdir(projectRoot);
  const folder = await prepareDataFolder(dataDir);
  const router = createRouter(settings);
  const server = await listen(
    port,
    [origin, sandboxOrigin, originAt('[::1]', port)],
    router.handle,
  );
  shutdown.onStop(async () => server.close());
  await lockFolder(folder, origin);
  shutdown.onStop(() => {
    unlockFolder(folder);
  }, 'last');
  return { folder, router, server, secrets: await loadSecrets(folder, settings) };
}
