import type { ShopData } from '#local/emulators/supabase/database/project.ts';
import { createDatabaseClient } from '#local/emulators/supabase/database/database-client.ts';
import { createDatabase } from '#local/emulators/supabase/database/open-database.ts';
import { prepareDataFolder } from '#local/data-folder/data-folder.ts';
import { lockFolder, unlockFolder } from '#local/data-folder/running.ts';
import { loadSecrets } from '#local/data-folder/secrets.ts';
import { markSeeded } from '#local/demo/seed.ts';
import { databaseEnvironment } from '#local/stack/environment.ts';
import { projectRoot, readSettings } from '#local/shared/settings.ts';

/** The data of the embedded stack in SHOP_DATA_DIR, while it does not run. Throws StartError. */
export async function connectToDataFolder(): Promise<ShopData> {
  const settings = readSettings();
  process.chdir(projectRoot);
  const folder = await prepareDataFolder(settings.dataDir);
  await lockFolder(folder, settings.origin);
  const secrets = await loadSecrets(folder, settings);
  Object.assign(process.env, databaseEnvironment(settings.origin, secrets, folder.database));
  const database = await createDatabase(folder, async () => Promise.resolve(null));
  await database.migrate();
  const { storage } = createDatabaseClient(database, settings.origin, secrets.secretKey);
  return {
    query: database.query,
    storage,
    markFilled: async () => markSeeded(folder, 0),
    async close() {
      await database.close();
      unlockFolder(folder);
    },
  };
}
