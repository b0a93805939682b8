import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { prepareDataFolder } from '#local/data-folder/data-folder.ts';
import { createDatabase, type Database } from '#local/emulators/supabase/database/open-database.ts';
import { databaseEnvironment } from '#local/stack/environment.ts';

/*
 * What the embedded Supabase does as Supabase's own, beyond the package. `npm run bench -- supabase` compares more of both.
 */
const publicKey = `sb_publishable_${'a'.repeat(48)}`;
const secretKey = `sb_secret_${'b'.repeat(48)}`;

let root: string;
let database: Database;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'shop-auth-'));
  const folder = await prepareDataFolder(join(root, 'data'));
  const secrets = { jwtSecret: 'c'.repeat(40), publishableKey: publicKey, secretKey };
  const settings = databaseEnvironment('http://localhost', secrets, folder.database);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  database = await createDatabase(folder, async () => Promise.resolve(null));
  await database.migrate();
});
afterAll(async () => {
  await database.close();
  await rm(root, { recursive: true });
});

const send = async (
  key: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  database.handle(
    new Request(`http://localhost${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { apikey: key, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );

test('the Data API refuses a token that nobody signed, and the browser roles have the grants of supabase/schemas alone', async () => {
  const read = async (table: string, headers: Record<string, string> = {}): Promise<number> =>
    (await send(publicKey, `/rest/v1/${table}?limit=1`, undefined, headers)).status;
  // The package logs each refusal.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = `${part({ alg: 'none' })}.${part({ role: 'service_role', exp: 9_999_999_999 })}.`;
  expect(await read('products')).toBe(200);
  expect(await read('products', { authorization: `Bearer ${forged}` })).toBe(401);
  expect(await read('contact_messages')).toBe(401);
});

test('requests that come at once have each its own role and its own transaction', async () => {
  // The package logs each refusal.
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const names = Array.from({ length: 20 }, (_, index) => `Ring ${String(index)}`);
  const ring = (name: string) => ({ name, category: 'rings', price: 100, stock: 1 });
  const answers = await Promise.all(
    names.flatMap((name) => [
      send(secretKey, '/rest/v1/products', ring(name)),
      // Refused, so that its transaction is rolled back: this may insert nothing.
      send(publicKey, '/rest/v1/products', ring(`${name} of a stranger`)),
      // The admin's table, of which a stranger reads nothing.
      send(publicKey, '/rest/v1/orders?select=id'),
    ]),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((_, index) => index % 3 === 0)).toEqual(names.map(() => 201));
  expect(statuses.filter((_, index) => index % 3 === 1)).toEqual(names.map(() => 401));
  expect(statuses.filter((_, index) => index % 3 === 2)).toEqual(names.map(() => 401));
  expect(logged).toHaveBeenCalledTimes(2 * names.length);
  const stored = await database.query<{ name: string }>(
    'select name from products order by created_at, name',
  );
  expect(stored.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});
