import { expect } from 'vitest';
import type { Check, Patient } from '../../../local/doctor/check.ts';
import { examine, type Finding } from '../../../local/doctor/examine.ts';

/** Values as those of a live shop look. None of them works anywhere. */
export const liveValues: Readonly<Record<string, string>> = {
  PUBLIC_SUPABASE_URL: 'https://abcdefghijklmnopqrst.supabase.co',
  PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_0123456789abcdef',
  SUPABASE_URL: 'https://abcdefghijklmnopqrst.supabase.co',
  SUPABASE_SECRET_KEY: 'sb_secret_0123456789abcdef',
  RAZORPAY_KEY_ID: 'rzp_live_0123456789abcd',
  RAZORPAY_KEY_SECRET: 'key-secret-0123456789abcd',
  RAZORPAY_WEBHOOK_SECRET: 'webhook-secret-0123456789abcdef',
  SMTP_URL: 'smtps://apikey:p%40ss@smtp.mail.test',
  MAIL_FROM: 'Kasavu <orders@kasavu.test>',
  OWNER_EMAIL: 'owner@kasavu.test',
  ADMIN_PASSWORD_HASH: `scrypt$32768$8$3$${'A'.repeat(22)}==$${'B'.repeat(43)}=`,
  BUILD_HOOK_URL: `https://api.netlify.com/build_hooks/${'0'.repeat(24)}`,
  URL: 'https://kasavu.test',
};

/** A deployed shop of which nothing is known but what is given. */
export const patientOf = (changes: Partial<Patient>): Patient => ({
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

/** What one check finds. Throws when there is no check of this name. */
export async function findingOf(
  checks: readonly Check[],
  name: string,
  patient: Patient,
): Promise<Finding> {
  const [finding] = await examine(patient, {
    asked: checks.filter((check) => check.name === name),
  });
  if (!finding) throw new Error(`There is no check "${name}"`);
  return finding;
}

/** Expects that the check finds this fault, and says what to do. */
export async function expectFault(
  checks: readonly Check[],
  name: string,
  patient: Patient,
  words: RegExp,
): Promise<void> {
  const finding = await findingOf(checks, name, patient);
  expect(finding).toMatchObject({ result: 'fault', what: expect.stringMatching(words) as unknown });
  expect(finding.mend.length).toBeGreaterThan(20);
}

/** Expects that nothing is wrong, or could not be asked, in any of these checks. Returns the names of those not asked. */
export async function expectHealthy(checks: readonly Check[], patient: Patient): Promise<string[]> {
  const findings = await examine(patient, { asked: checks });
  expect(findings.filter(({ result }) => result === 'fault')).toEqual([]);
  return findings.filter(({ result }) => result === 'not asked').map(({ check }) => check);
}

/** The names of checks that no row of a table breaks: a check without a fault may be one that cannot fail. */
export const untried = (checks: readonly Check[], rows: readonly { check: string }[]): string[] =>
  checks.map(({ name }) => name).filter((name) => !rows.some(({ check }) => check === name));
