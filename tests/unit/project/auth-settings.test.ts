import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  codeLength,
  codeLifetimeMs,
  resendAfterMs,
} from '../../../src/domain/account/mailed-code.ts';
import { colors } from '../../../netlify/server/platform/http/page.ts';
import { authMails } from '../../../local/sign-up/auth-mails.ts';
import { shop } from '../../../src/settings/shop.ts';

/* supabase/config.toml goes to the hosted project with the variables of the environment and of the shop's settings. What a push declares replaces what the project has. */
const hostedText = readFileSync('supabase/config.toml', 'utf8');
const hosted = parse(hostedText);
const embedded = parse(readFileSync('local/database/config.toml', 'utf8'));

const tableSchema = z.record(z.string(), z.unknown());

const senderSchema = z.object({
  auth: z.object({
    site_url: z.literal('env(SHOP_AUTH_PAGE)'),
    additional_redirect_urls: z.tuple([z.literal('env(SHOP_AUTH_PAGE)')]),
    rate_limit: z.object({ email_sent: z.int().min(30) }),
    captcha: z.object({
      enabled: z.literal('env(AUTH_CAPTCHA)'),
      provider: z.literal('turnstile'),
      secret: z.literal('env(TURNSTILE_SECRET_KEY)'),
    }),
    email: z.object({
      enable_confirmations: z.literal(true),
      smtp: z.object({
        enabled: z.literal(true),
        host: z.literal('env(AUTH_SMTP_HOST)'),
        // Text that is no number: the CLI refuses a push without the variable.
        port: z.literal('env(AUTH_SMTP_PORT)'),
        user: z.literal('env(AUTH_SMTP_USER)'),
        pass: z.literal('env(AUTH_SMTP_PASS)'),
        admin_email: z.literal('env(AUTH_SMTP_FROM)'),
        sender_name: z.literal('env(SHOP_NAME)'),
      }),
    }),
  }),
});

/** Every setting by its path, such as `auth.email.smtp.enabled`. */
function flatten(table: unknown, prefix = ''): [string, unknown][] {
  return Object.entries(tableSchema.parse(table)).flatMap(([name, value]) =>
    tableSchema.safeParse(value).success
      ? flatten(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value]],
  );
}

test('a push of the committed settings keeps the sender, the redirect address and the mails an hour', () => {
  const parsed = senderSchema.safeParse(hosted);
  expect(parsed.error?.issues ?? []).toEqual([]);
});

test('the guide names every variable that the settings read', () => {
  const names = new Set([...hostedText.matchAll(/"env\((\w+)\)"/gu)].map(([, name = '']) => name));
  expect(names.size).toBeGreaterThan(6);
  const guide = readFileSync('docs/going-live.md', 'utf8');
  // `local/sign-up/auth-mails.ts` has these, from the shop's settings.
  const own = /^SHOP_(?:NAME|(?:CONFIRMATION|RECOVERY)_(?:SUBJECT|MAIL))$/u;
  expect([...names].filter((name) => own.test(name))).toHaveLength(5);
  expect([...names].filter((name) => !own.test(name) && !guide.includes(name))).toEqual([]);
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
      .filter(
        (path) => !/^(?:auth\.(?:email\.smtp|rate_limit|captcha)|db\.migrations)\./u.test(path),
      ),
  ).toEqual([]);
});

test('the pages know length, lifetime and frequency of the mailed codes', () => {
  const { auth } = z
    .object({ auth: z.object({ email: z.record(z.string(), z.unknown()) }) })
    .parse(hosted);
  expect(auth.email).toMatchObject({
    otp_length: codeLength,
    otp_expiry: codeLifetimeMs / 1000,
    max_frequency: `${String(resendAfterMs / 1000)}s`,
  });
});

test('every mail with a code shows it in its subject, and large above the button', async () => {
  const mails = Object.entries(await authMails());
  expect(mails.length).toBe(2);
  for (const [name, { subject, html }] of mails) {
    expect(hostedText).toContain(
      `[auth.email.template.${name}]\nsubject = "env(SHOP_${name.toUpperCase()}_SUBJECT)"\ncontent_path = "env(SHOP_${name.toUpperCase()}_MAIL)"\n`,
    );
    expect(subject).toContain('{{ .Token }}');
    expect(html).toMatch(/font: 600 34px[^"]*">\{\{ \.Token \}\}<\/p>/u);
    expect(html.indexOf('{{ .Token }}')).toBeLessThan(html.indexOf('<a href'));
    expect(html).toContain(`valid for ${String(codeLifetimeMs / 60_000)} minutes`);
  }
});

test('the mails of the sign-up are this shop’s: its name and colours, and nothing is left to fill in', async () => {
  for (const { subject, html } of Object.values(await authMails())) {
    expect(subject).toContain(shop.name);
    expect(html).toContain(shop.name.replaceAll('&', '&amp;'));
    expect(html).toContain(colors.mist);
    // What is left is Supabase Auth's own.
    expect(html.match(/\{\{(?! \.)/gu)).toBeNull();
  }
});
