import { spawnSync } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { mailChecks } from '#local/doctor/mail-checks.ts';
import { paymentChecks } from '#local/doctor/payment-checks.ts';
import { shopFactsChecks } from '#local/doctor/shop-facts-checks.ts';
import { variableChecks } from '#local/doctor/variable-checks.ts';
import type { Target } from '#local/doctor/check.ts';
import { eachRow } from '#tests/each-row.ts';
import { expectFault, expectHealthy, liveValues, targetOf, untried } from './doctor-target.ts';

/* Faults that the texts of the variables tell, without a network. */
const legacyKey = (role: string): string =>
  `e30.${Buffer.from(JSON.stringify({ role })).toString('base64url')}.signature`;

interface Row {
  check: string;
  env: Record<string, string | undefined>;
  context?: Target['context'];
  words: RegExp;
}

/** Several faults that one check finds. */
const inTurn = (check: string, ...faults: (readonly [Row['env'], RegExp])[]): Row[] =>
  faults.map(([env, words]) => ({ check, env, words }));

const rows: readonly Row[] = [
  ...inTurn(
    'Every variable that the shop needs is set',
    [{ SMTP_URL: undefined, OWNER_EMAIL: ' ' }, /^SMTP_URL, OWNER_EMAIL is not set/u],
    [{ BUILD_HOOK_URL: undefined }, /BUILD_HOOK_URL/u],
  ),
  ...inTurn(
    'Every variable has the form of its kind',
    [{ ADMIN_PASSWORD_HASH: 'scrypt8$3$' }, /ADMIN_PASSWORD_HASH/u],
    [{ VAPID_PRIVATE_KEY: 'not-a-key' }, /VAPID_PRIVATE_KEY \(`npm run push-key`\)/u],
    [{ SUPABASE_URL: 'abcdefghijklmnopqrst.supabase.co' }, /SUPABASE_URL/u],
    [{ RAZORPAY_WEBHOOK_SECRET: 'short-enough-to-guess' }, /RAZORPAY_WEBHOOK_SECRET/u],
  ),
  ...inTurn(
    'No variable has the value of .env.example',
    [{ MAIL_FROM: 'My Shop <orders@example.com>' }, /^MAIL_FROM still/u],
    [{ SMTP_URL: 'smtps://user:password@smtp.example.com' }, /^SMTP_URL still/u],
  ),
  ...inTurn(
    'Turnstile has both of its keys, or neither',
    [{ PUBLIC_TURNSTILE_SITE_KEY: '0x4AAA' }, /without a check/u],
    [{ TURNSTILE_SECRET_KEY: '0x4AAA' }, /refuse every/u],
  ),
  ...inTurn(
    'Each key of Supabase is in its place',
    [{ PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_secret_0123456789' }, /SECRET key/u],
    [{ PUBLIC_SUPABASE_PUBLISHABLE_KEY: legacyKey('service_role') }, /SECRET key/u],
    [{ PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'rzp_live_0123' }, /not a publishable key/u],
    [{ SUPABASE_SECRET_KEY: legacyKey('anon') }, /not a secret key/u],
  ),
  ...inTurn(
    'The keys of Supabase are the new ones',
    [
      { PUBLIC_SUPABASE_PUBLISHABLE_KEY: legacyKey('anon') },
      /^PUBLIC_SUPABASE_PUBLISHABLE_KEY is an old JWT key .* by the end of 2026\.$/u,
    ],
    [{ SUPABASE_SECRET_KEY: legacyKey('service_role') }, /^SUPABASE_SECRET_KEY is an old JWT key/u],
  ),
  {
    check: 'Pages and functions use the same database',
    env: { SUPABASE_URL: 'https://tsrqponmlkjihgfedcba.supabase.co' },
    words: /two projects/u,
  },
  {
    check: 'Nothing of the embedded stack is set for a deployed site',
    env: { RAZORPAY_API_URL: 'https://proxy.test' },
    words: /RAZORPAY_API_URL/u,
  },
];

const otherRows: readonly Row[] = [
  {
    check: 'The keys are of the kind that the context asks for',
    env: { RAZORPAY_KEY_ID: 'key_0123' },
    words: /not a key id/u,
  },
  {
    check: 'The keys are of the kind that the context asks for',
    env: {},
    context: 'deploy-preview',
    words: /live key, refused in a preview/u,
  },
  {
    check: 'The shop is open to buy',
    env: { RAZORPAY_KEY_ID: 'rzp_test_0123456789abcd' },
    words: /closed to buy. Nobody can/u,
  },
  {
    check: 'The shop is open to buy',
    env: { RAZORPAY_KEY_ID: '', TEST_BUYERS: 'owner@example.com' },
    words: /Only owner@example.com can/u,
  },
  {
    check: 'Mail comes from the shop’s own domain',
    env: { MAIL_FROM: 'kasavu@gmail.com' },
    words: /gmail/u,
  },
  {
    check: 'Mail comes from the shop’s own domain',
    env: { MAIL_FROM: 'Malar <hello@mail.example.org>' },
    words: /nobody’s/u,
  },
  // The repository’s own facts are examples until its owner edits them.
  {
    check: 'The seller, texts and images in src/shop are the real ones',
    env: {},
    words: /still examples:\n- seller\.ts, line \d+: "/u,
  },
];
const textChecks = [...paymentChecks, ...mailChecks, ...shopFactsChecks].filter(({ name }) =>
  otherRows.some(({ check }) => check === name),
);

/** The shop with these variables; the functions' modules read the same. */
function targetWith({ env, context = 'production' }: Pick<Row, 'env' | 'context'>): Target {
  vi.unstubAllEnvs();
  const values = { ...liveValues, ...env };
  for (const [name, value] of Object.entries({ ...values, CONTEXT: context }))
    vi.stubEnv(name, value);
  return targetOf({ env: values, context });
}
afterEach(() => vi.unstubAllEnvs());

test('the values of a live shop are well', async () => {
  expect(await expectHealthy(variableChecks, targetWith({ env: {} }))).toEqual([]);
  const settled = textChecks.filter((check) => !shopFactsChecks.includes(check));
  expect(await expectHealthy(settled, targetWith({ env: {} }))).toEqual([]);
});

test('each fault of a variable is found, with what to do', async () => {
  expect(untried(variableChecks, rows)).toEqual([]);
  await eachRow(rows, ({ check, words, ...row }) =>
    expectFault(variableChecks, check, targetWith(row), words),
  );
});

test('keys, sender, hook and seller that do not fit a live shop are found, with what to do', async () => {
  await eachRow(otherRows, ({ check, words, ...row }) =>
    expectFault(textChecks, check, targetWith(row), words),
  );
});

test('the command says each fault with what to do, for people and for programs, and ends with code 1', () => {
  const env = {
    PATH: process.env['PATH'],
    ...liveValues,
    OWNER_EMAIL: '',
    SUPABASE_URL: 'http://127.0.0.1:9259',
    PUBLIC_SUPABASE_URL: 'http://127.0.0.1:9259',
    SMTP_URL: 'smtp://127.0.0.1:9259',
    RAZORPAY_API_URL: 'http://127.0.0.1:9259',
    BUILD_HOOK_URL: 'http://127.0.0.1:9259',
  };
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['local/doctor.ts', '--context', 'branch-deploy', ...args], {
      env,
      encoding: 'utf8',
    });
  const [printed, json] = [run(), run('--json')];
  expect([printed.status, json.status]).toEqual([1, 1]);
  expect(printed.stdout).toMatch(
    /WRONG Every variable that the shop needs is set\n +OWNER_EMAIL is not set\.\n +> Set it in Netlify/u,
  );
  expect(printed.stdout).toMatch(/No API shows these/u);
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: false,
    findings: expect.arrayContaining([
      expect.objectContaining({ result: 'fault', what: 'OWNER_EMAIL is not set.' }),
    ]) as unknown,
  });
  for (const [name, value] of Object.entries(liveValues).filter(([key]) =>
    /SECRET|PASSWORD/u.test(key),
  )) {
    expect(printed.stdout + json.stdout, name).not.toContain(value);
  }
});

test('an unknown option lists the known ones and exits with code 2', () => {
  const { status, stderr } = spawnSync(process.execPath, ['local/doctor.ts', '--sight'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('--site ADDRESS')]);
});
