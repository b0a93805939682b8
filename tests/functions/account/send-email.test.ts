import { beforeEach, expect, test, vi } from 'vitest';
import { serveFetch } from '#tests/functions/support/serve-fetch.ts';
import { eachRow } from '#tests/each-row.ts';
import { decodeSubject } from '#tests/functions/support/mail-server.ts';
import { hookSecret, useStack } from '#tests/functions/support/stack.ts';
import { callHook } from './auth-hook.ts';

const stack = await useStack();
const anotherSecret = `v1,whsec_${Buffer.alloc(32, 'x').toString('base64')}`;
const subjects = (): string[] =>
  stack.mail.mails.map(({ headers }) => decodeSubject(headers['subject'] ?? ''));

beforeEach(async () => {
  stack.mail.reset();
  await stack.sql('delete from public.costs');
  vi.stubEnv('SEND_EMAIL_HOOK_SECRET', hookSecret);
});

test('a sign-up and a login are mailed their code, with a link for when the page is closed', async () => {
  await eachRow(
    [
      [
        'signup',
        '48151623: confirm your account',
        `/auth?token_hash=${'a'.repeat(56)}&type=signup#email=anjali%40example.com`,
      ],
      [
        'recovery',
        '48151623 is your code',
        `/auth?token_hash=${'a'.repeat(56)}&type=recovery#email=anjali%40example.com`,
      ],
    ] as const,
    async ([action, subject, path]) => {
      stack.mail.reset();
      const { status, json } = await callHook(stack, { action });
      expect({ status, json }).toEqual({ status: 200, json: {} });
      expect(subjects()).toHaveLength(1);
      expect(subjects()[0]).toContain(subject);
      const [mail] = stack.mail.mails;
      expect(mail?.to).toEqual(['anjali@example.com']);
      const text = mail?.raw.replaceAll(/=\r\n/gu, '').replaceAll('=3D', '=') ?? '';
      expect(text).toContain(`https://kasavu.example${path}`);
      expect(text).toContain('valid for 10 minutes');
    },
  );
});

test('every other kind of mail is refused, and costs no share of the codes', async () => {
  const kinds = [
    'email_change',
    'reauthentication',
    'magiclink',
    'invite',
    'toString',
    'password_changed_notification',
  ];
  await eachRow(
    kinds.map((kind) => [kind] as const),
    async ([action]) => {
      const { status, json } = await callHook(stack, { action });
      expect(status).toBe(200);
      expect(json).toEqual({
        error: { http_code: 422, message: 'This shop does not send this mail.' },
      });
    },
  );
  expect(stack.mail.mails).toEqual([]);
  expect(await stack.value('select count(*)::int from public.costs')).toBe(0);
});

test('a refused code is counted for /api/health', async () => {
  await stack.sql(
    `insert into public.costs (effect, scope) select effect, 'all' from generate_series(1, 1000), unnest(array['stranger_mail', 'customer_mail']) effect`,
  );
  expect((await callHook(stack, { action: 'signup' })).json).toMatchObject({
    error: { http_code: 429 },
  });
  expect(await stack.value(`select (public.shop_health() ->> 'sign_ups_refused')::int`)).toBe(1);
});

test('a code that cannot be counted is not mailed, and the log says so', async () => {
  // PostgREST answers this when the deploy came before its migration.
  const missing = { code: 'PGRST202', message: 'Could not find the function' };
  const database = await serveFetch(() => Response.json(missing, { status: 404 }));
  const address = process.env['SUPABASE_URL'];
  vi.stubEnv('SUPABASE_URL', database.url);
  const { status } = await callHook(stack, { action: 'signup' });
  vi.stubEnv('SUPABASE_URL', address);
  await database.close();
  expect(status).toBe(503);
  expect(stack.mail.mails).toEqual([]);
  expect(stack.logs.at(-1)).toMatch(/"status":503.*PGRST202/u);
});

test('only a fresh message that one of the secrets signed is taken', async () => {
  const old = new Date(Date.now() - 6 * 60_000);
  await eachRow(
    [
      { secret: anotherSecret },
      { at: old },
      { change: (body: string) => body.replace('anjali@', 'strang@') },
    ],
    async (changes) => {
      expect((await callHook(stack, { action: 'signup', ...changes })).status).toBe(401);
    },
  );
  expect(stack.mail.mails).toEqual([]);
  vi.stubEnv('SEND_EMAIL_HOOK_SECRET', `${anotherSecret}|${hookSecret}`);
  expect((await callHook(stack, { action: 'signup' })).json).toEqual({});
  expect((await callHook(stack, { action: 'signup', secret: anotherSecret })).json).toEqual({});
});

test('Auth forgets a code that the mail server refuses', async () => {
  stack.mail.setRefusing(true);
  expect((await callHook(stack, { action: 'signup' })).json).toMatchObject({
    error: { http_code: 500 },
  });
});

test('a mail server that is slow does not make Auth forget the code that it delivers', async () => {
  const slow = stack.mail.hold();
  const answer = callHook(stack, { action: 'signup' });
  await slow.received;
  // The function began to wait before the mail server heard of it.
  const started = performance.now();
  // The test's caller has no `waitUntil`, so the answer itself comes with the mail; the log has what Auth would see.
  await vi.waitFor(
    () => {
      expect(performance.now() - started).toBeGreaterThan(2_500);
    },
    { timeout: 10_000 },
  );
  slow.release();
  expect((await answer).json).toEqual({});
  expect(stack.logs.some((line) => line.includes('"outcome":"slow"'))).toBe(true);
});
