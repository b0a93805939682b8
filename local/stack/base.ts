import { listen, type HttpServer } from '#local/emulators/http/server.ts';
import { prepareDataFolder, type DataFolder } from '#local/data-folder/data-folder.ts';
import { createRouter, type Router } from './router.ts';
import { lockFolder, unlockFolder } from '#local/data-folder/running.ts';
import { loadSecrets, type Secrets } from '#local/data-folder/secrets.ts';
import { originAt, projectRoot, type Settings } from '#local/shared/settings.ts';
import { checkFolder, readProject, type SupabaseProject } from '#local/supabase-project/project.ts';
import type { Shutdown } from './shutdown.ts';

/** The base of a stack: a port and a data folder that nothing else uses. */
export interface Base {
  folder: DataFolder;
  /** The stack's secrets. A Supabase project in place of the embedded one adds its keys. */
  secrets: Secrets;
  project: SupabaseProject | null;
  /** The address of Supabase: the project's, or the stack's own. */
  supabaseUrl: string;
  router: Router;
  server: HttpServer;
}

/** Takes the port and locks the data folder. Throws StartError with a sentence for the person at the terminal. */
export async function createBase(settings: Settings, shutdown: Shutdown): Promise<Base> {
  const { origin, sandboxOrigin, port, dataDir } = settings;
  process.chdir(projectRoot);
  const project = settings.supabaseFile === null ? null : readProject(settings.supabaseFile);
  const folder = await prepareDataFolder(dataDir);
  await checkFolder(folder, project);
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
  const secrets = await loadSecrets(folder, settings);
  return {
    folder,
    router,
    server,
    project,
    supabaseUrl: project?.SUPABASE_URL ?? origin,
    secrets: project ? { ...secrets, ...keysOf(project) } : secrets,
  };
}

const keysOf = (
  project: SupabaseProject,
): Pick<Secrets, 'publishableKey' | 'secretKey' | 'sendEmailHookSecret'> => ({
  publishableKey: project.SUPABASE_PUBLISHABLE_KEY,
  secretKey: project.SUPABASE_SECRET_KEY,
  sendEmailHookSecret: project.SEND_EMAIL_HOOK_SECRET,
});
