import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataFolderAt } from '#local/data-folder/data-folder.ts';
import { writeJson } from '#local/data-folder/files.ts';
import { startHookForwarder } from '#local/supabase-project/hook-forwarder.ts';
import { checkFolder, readProject } from '#local/supabase-project/project.ts';

const values = {
  SUPABASE_URL: 'http://127.0.0.1:54321/',
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_a',
  SUPABASE_SECRET_KEY: 'sb_secret_a',
  DATABASE_URL: 'postgresql://postgres:postgres@127.0.0.1:54322/postgres',
  SEND_EMAIL_HOOK_SECRET: `v1,whsec_${Buffer.alloc(32, 'a').toString('base64')}`,
};

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shop-project-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true });
});

async function fileOf(variables: Record<string, string>): Promise<string> {
  const file = join(dir, 'supabase.env');
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(file, lines.join(''));
  return file;
}

test('a data folder belongs to one database', async () => {
  const folder = dataFolderAt(dir);
  const project = readProject(await fileOf(values));
  await checkFolder(folder, null);
  await checkFolder(folder, project);
  await writeJson(join(dir, 'supabase-project.json'), { url: 'https://another.supabase.co' });
  for (const which of [null, project])
    await expect(checkFolder(folder, which)).rejects.toThrow(/another\.supabase\.co/u);
});

test('Auth in a container reaches the one path of the hook, and nothing else of the shop', async () => {
  const seen: string[] = [];
  const shop: Server = createServer((request, response) => {
    seen.push(
      `${request.method ?? ''} ${request.url ?? ''} ${String(request.headers['webhook-id'])}`,
    );
    response.end('{}');
  });
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  const { port } = shop.address() as AddressInfo;
  const { port: at, stop } = await startHookForwarder(`http://localhost:${String(port)}`, 0);
  const forwarder = `http://127.0.0.1:${String(at)}`;
  const init = { method: 'POST', body: '{}', headers: { 'webhook-id': 'one' } };
  expect((await fetch(`${forwarder}/api/send-email`, init)).status).toBe(200);
  expect((await fetch(`${forwarder}/api/admin/session`, init)).status).toBe(404);
  expect((await fetch(`${forwarder}/api/send-email`)).status).toBe(404);
  stop();
  shop.close();
  expect(seen).toEqual(['POST /api/send-email one']);
});
