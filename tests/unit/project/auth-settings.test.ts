import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { codeLength, codeLifetimeMs, resendAfterMs } from '#domain/account/mailed-code.ts';

/* supabase/config.toml goes to the hosted project with variables of the environment. What a push declares replaces what the project has. */
const hostedText = readFileSync('supabase/config.toml', 'utf8');
const hosted = parse(hostedText);
const embedded = parse(readFileSync('local/emulators/supabase/database/config.toml', 'utf8'));

const tableSchema = z.record(z.string(), z.unknown());

/** Every setting by its path, such as `auth.hook.send_email.enabled`. */
function flatten(table: unknown, prefix = ''): [string, unknown][] {
  return Object.entries(tableSchema.parse(table)).flatMap(([name, value]) =>
    tableSchema.safeParse(value).success
      ? flatten(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value]],
  );
}

test('a push of the committed settings keeps the hook, the redirect address and the second factor off', () => {
  const page = 'env(SHOP_AUTH_PAGE)';
  const off = { enroll_enabled: false, verify_enabled: false };
  expect(hosted['auth']).toMatchObject({
    site_url: page,
    additional_redirect_urls: [page],
    hook: {
      send_email: {
        enabled: true,
        uri: 'env(SHOP_SEND_EMAIL_HOOK)',
        secrets: 'env(SEND_EMAIL_HOOK_SECRET)',
      },
    },
    mfa: { totp: off, phone: off },
    captcha: {
      enabled: 'env(AUTH_CAPTCHA)',
      provider: 'turnstile',
      secret: 'env(TURNSTILE_SECRET_KEY)',
    },
    email: { enable_confirmations: true },
  });
});

test('the guide names every variable that the settings read', () => {
  const names = new Set([...hostedText.matchAll(/"env\((\w+)\)"/gu)].map(([, name = '']) => name));
  // `local/supabase-project/supabase-cli.ts` has this one, from SHOP_AUTH_PAGE.
  expect(names.delete('SHOP_SEND_EMAIL_HOOK')).toBe(true);
  expect(names.size).toBeGreaterThan(3);
  const guide = readFileSync('docs/going-live.md', 'utf8');
  expect([...names].filter((name) => !guide.includes(name))).toEqual([]);
});

test('hosted and embedded settings differ only where one of both has none', () => {
  const own = new Map(flatten(embedded));
  const shared = flatten(hosted).filter(([path]) => own.has(path));
  expect(shared.length).toBeGreaterThan(15);
  expect(
    shared.filter(([path, value]) => JSON.stringify(own.get(path)) !== JSON.stringify(value)),
  ).toEqual([]);
  expect(
    flatten(hosted)
      .map(([path]) => path)
      .filter((path) => !own.has(path))
      // The embedded stack runs the migrations alone.
      .filter((path) => !/^(?:auth\.(?:hook|mfa|rate_limit|captcha)|db\.migrations)\./u.test(path)),
  ).toEqual([]);
});

test('the pages know length, lifetime and frequency of the mailed codes', () => {
  expect(hosted['auth']).toMatchObject({
    email: {
      otp_length: codeLength,
      otp_expiry: codeLifetimeMs / 1000,
      max_frequency: `${String(resendAfterMs / 1000)}s`,
    },
  });
});
