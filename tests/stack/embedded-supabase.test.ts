import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { AuthMail, Refusal } from '../../local/auth/send-email-hook.ts';
import { prepareDataFolder } from '../../local/data-folder/data-folder.ts';
import { createDatabase, type Database } from '../../local/database/open-database.ts';
import { databaseEnvironment } from '../../local/stack/environment.ts';

/*
 * What the embedded Supabase does as Supabase's own, beyond the package. `npm run bench -- supabase` compares more of both.
 */
const publicKey = `sb_publishable_${'a'.repeat(48)}`;
const secretKey = `sb_secret_${'b'.repeat(48)}`;
const password = 'a-good-password';

let root: string;
let database: Database;
let mails: AuthMail[];
/** What the hook answers. */
let refusal: Refusal | null;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'shop-auth-'));
  const folder = await prepareDataFolder(join(root, 'data'));
  const secrets = { jwtSecret: 'c'.repeat(40), publishableKey: publicKey, secretKey };
  const settings = databaseEnvironment('http://localhost', secrets, folder.database);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  database = await createDatabase(folder, async (mail) => {
    mails.push(mail);
    return Promise.resolve(refusal);
  });
  await database.migrate();
});
beforeEach(() => {
  mails = [];
  refusal = null;
  // The package logs each refusal.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterAll(async () => {
  await database.close();
  await rm(root, { recursive: true });
});

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function call(path: string, body: object, method = 'POST', token?: string): Promise<Answer> {
  const answer = await database.handle(
    new Request(`http://localhost/auth/v1/${path}`, {
      method,
      headers: {
        apikey: publicKey,
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    }),
  );
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) };
}

const newEmail = (): string => `${crypto.randomUUID()}@example.com`;
const signUp = async (email: string): Promise<Answer> => call('signup', { email, password });
const lastMail = (): AuthMail => {
  const mail = mails.at(-1);
  if (!mail) throw new Error('No mail was sent');
  return mail;
};
const redeem = async ({ user, action, token }: AuthMail): Promise<Answer> =>
  call('verify', { email: user.email, token, type: action });
const tokensOf = async (email: string): Promise<unknown> =>
  database.query(
    'select confirmation_token, recovery_token, email_change, email_change_token_current, reauthentication_token from auth.users where email = $1',
    email,
  );

/** A confirmed customer with a password. */
async function newCustomer(email = newEmail()): Promise<{ email: string; token: string }> {
  await signUp(email);
  const { body } = await redeem(lastMail());
  const token = String(body['access_token']);
  await call('user', { password }, 'PUT', token);
  mails = [];
  return { email, token };
}

test('what the hook refuses leaves no account, no code and no changed address', async () => {
  const { email, token } = await newCustomer();
  const before = await tokensOf(email);
  refusal = { status: 429, code: 'unknown', message: 'Later' };
  const stranger = newEmail();
  for (const { status, body } of [
    await signUp(stranger),
    await call('otp', { email: stranger }),
    await call('recover', { email }),
    await call('otp', { email }),
    await call('user', { email: newEmail() }, 'PUT', token),
  ])
    expect({ status, message: body['msg'] }).toEqual({ status: 429, message: 'Later' });
  expect(mails.length).toBe(5);
  expect(await tokensOf(email)).toEqual(before);
  expect(await tokensOf(stranger)).toEqual([]);
});

test('the Data API refuses a token that nobody signed, and the browser roles have the grants of supabase/schemas alone', async () => {
  const read = async (table: string, headers: Record<string, string>): Promise<number> =>
    (
      await database.handle(
        new Request(`http://localhost/rest/v1/${table}?limit=1`, {
          headers: { apikey: publicKey, ...headers },
        }),
      )
    ).status;
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = `${part({ alg: 'none' })}.${part({ role: 'service_role', exp: 9_999_999_999 })}.`;
  expect(await read('products', {})).toBe(200);
  expect(await read('products', { authorization: `Bearer ${forged}` })).toBe(401);
  expect(await read('contact_messages', {})).toBe(401);
});

const send = async (key: string, path: string, body?: object): Promise<Response> =>
  database.handle(
    new Request(`http://localhost${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { apikey: key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );

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
