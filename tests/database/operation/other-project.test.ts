import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, expect, test } from 'vitest';
import { prepareDataFolder } from '#local/data-folder/data-folder.ts';
import { connectProject } from '#local/supabase-project/project.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();

test('a project with orders that were not made here is refused before anything is changed', async () => {
  const customer = await database.addCustomer('a@example.com');
  const ring = await database.addProduct();
  await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  const [name] = await database.query<{ name: string }>('select current_database() as name');
  const root = await mkdtemp(join(tmpdir(), 'shop-project-'));
  const folder = await prepareDataFolder(join(root, 'data'));
  const project = {
    SUPABASE_URL: 'http://127.0.0.1:9',
    SUPABASE_PUBLISHABLE_KEY: 'a',
    SUPABASE_SECRET_KEY: 'b',
    DATABASE_URL: `postgresql://postgres:postgres@127.0.0.1:${String(inject('postgresPort'))}/${name?.name ?? ''}`,
    SEND_EMAIL_HOOK_SECRET: 'v1,whsec_',
  };
  await expect(connectProject(folder, project)).rejects.toThrow(
    /has 1 orders that were not made here/u,
  );
  await rm(root, { recursive: true });
});
