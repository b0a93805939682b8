import { expect } from 'vitest';
import type { Check, Target } from '#local/doctor/check.ts';
import { runChecks, type Finding } from '#local/doctor/run-checks.ts';

/** Values as those of a live shop's `.env` look. None of them works anywhere, and none is one that Netlify sets. */
export const liveValues: Readonly<Record<string, string>> = {
  PUBLIC_SUPABASE_URL: 'https://abcdefghijklmnopqrst.supabase.co',
  PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_0123456789abcdef',
  SUPABASE_URL: 'https://abcdefghijklmnopqrst.supabase.co',
  SUPABASE_SECRET_KEY: 'sb_secret_0123456789abcdef',
  SEND_EMAIL_HOOK_SECRET: `v1,whsec_${Buffer.alloc(32, 'a').toString('base64')}`,
  RAZORPAY_KEY_ID: 'rzp_live_0123456789abcd',
  RAZORPAY_KEY_SECRET: 'key-secret-0123456789abcd',
  RAZORPAY_WEBHOOK_SECRET: 'webhook-secret-0123456789abcdef',
  SMTP_URL: 'smtps://apikey:p%40ss@smtp.mail.test',
  MAIL_FROM: 'Shop <orders@kasavu.test>',
  OWNER_EMAIL: 'owner@kasavu.test',
  ADMIN_PASSWORD_HASH: `scrypt$32768$8$3$${'A'.repeat(22)}==$${'B'.repeat(43)}=`,
  BUILD_HOOK_URL: `https://api.netlify.com/build_hooks/${'0'.repeat(24)}`,
  SHOP_AUTH_PAGE: 'https://kasavu.test/auth',
};

/** A deployed shop of which nothing is known but what is given. */
export const targetOf = (changes: Partial<Target>): Target => ({
  env: liveValues,
  context: 'production',
  site: null,
  embedded: false,
  sendMail: false,
  triggerBuild: false,
  supabaseApi: { address: 'http://127.0.0.1:1', token: undefined },
  netlifyApi: { address: 'http://127.0.0.1:1', token: undefined, siteId: undefined },
  ...changes,
});

/** The result of one check. Throws when there is no check of this name. */
export async function findingOf(
  checks: readonly Check[],
  name: string,
  target: Target,
): Promise<Finding> {
  const [finding] = await runChecks(target, {
    asked: checks.filter((check) => check.name === name),
  });
  if (!finding) throw new Error(`There is no check "${name}"`);
  return finding;
}

/** Expects that the check finds this fault, and says what to do. */
export async function expectFault(
  checks: readonly Check[],
  name: string,
  target: Target,
  words: RegExp,
): Promise<void> {
  const finding = await findingOf(checks, name, target);
  expect(finding).toMatchObject({ result: 'fault', what: expect.stringMatching(words) as unknown });
  expect(finding.fix.length).toBeGreaterThan(20);
}

/** Expects that nothing is wrong, in any of these checks. Returns the names of those skipped. */
export async function expectHealthy(checks: readonly Check[], target: Target): Promise<string[]> {
  const findings = await runChecks(target, { asked: checks });
  expect(findings.filter(({ result }) => result === 'fault')).toEqual([]);
  return findings.filter(({ result }) => result === 'skipped').map(({ check }) => check);
}

/** The names of checks that no row of a table breaks: a check without a fault may be one that cannot fail. */
export const untried = (checks: readonly Check[], rows: readonly { check: string }[]): string[] =>
  checks.map(({ name }) => name).filter((name) => !rows.some(({ check }) => check === name));
