import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { requireCustomer } from '#core/auth/customer.ts';
import { eachRow } from '#tests/each-row.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';

/* The auth server checks a token only when it may be one that is still valid. */
let auth: Served;
let asked = 0;
const id = 'a3f1c2d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d';

beforeAll(async () => {
  auth = await serveFetch(() => {
    asked += 1;
    return Response.json({ id, email: 'customer@example.com' });
  });
});
afterAll(() => auth.close());
afterEach(() => {
  asked = 0;
  vi.unstubAllEnvs();
});

const now = Math.floor(Date.now() / 1000);
const tokenOf = (claims: unknown): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnbmVk`;
const customerOf = (token: string) => {
  vi.stubEnv('SUPABASE_URL', auth.url);
  vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_0123456789');
  const headers = { authorization: `Bearer ${token}` };
  return requireCustomer(new Request('https://kasavu.example', { headers }), 'continue to payment');
};

test('a token that may be valid is verified', async () => {
  expect(await customerOf(tokenOf({ sub: id, exp: now + 3_600 }))).toMatchObject({ id });
  expect(asked).toBe(1);
});

test('text that cannot be a valid token is refused without asking anybody', async () => {
  await eachRow(
    [
      'a.b.c',
      tokenOf('text'),
      tokenOf(null),
      tokenOf({ sub: id }),
      tokenOf({ sub: 'anybody', exp: now + 3_600 }),
      tokenOf({ sub: id, exp: now - 120 }),
      tokenOf({ sub: id, exp: now + 3_600, padding: 'x'.repeat(8_192) }),
    ],
    async (token) => {
      await expect(customerOf(token)).rejects.toMatchObject({ status: 401 });
    },
  );
  expect(asked).toBe(0);
});
