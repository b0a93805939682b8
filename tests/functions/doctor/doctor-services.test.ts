import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Target } from '#local/doctor/check.ts';
import { mailChecks } from '#local/doctor/mail-checks.ts';
import { paymentChecks } from '#local/doctor/payment-checks.ts';
import { publishingChecks } from '#local/doctor/publishing-checks.ts';
import { signUpChecks } from '#local/doctor/sign-up-checks.ts';
import webhookEndpoint from '#netlify/functions/payment-webhook.ts';
import sendEmailEndpoint from '#netlify/functions/send-email.ts';
import { eachRow } from '#tests/each-row.ts';
import { secretKey } from '#tests/functions/support/database-server.ts';
import { keyId, keySecret, webhookSecret } from '#tests/functions/support/razorpay-server.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';
import { useStack, type Stack } from '#tests/functions/support/stack.ts';
import {
  expectFault,
  expectHealthy,
  findingOf,
  liveValues,
  targetOf,
  untried,
} from './doctor-target.ts';
import { usualAuth } from './usual-auth.ts';

/* Faults at the services: the shop's own adapters query a provider, a mail server and management APIs on this machine. */
const stack = await useStack();
let services: Served;

/** The answers of the services when all is well; a test changes them. */
const usual = {
  ...usualAuth,
  hook: 200,
  webhook: 'deployed' as 'deployed' | 'open',
  /** The secret of Auth's hook that the deployed functions have. */
  hookSecret: liveValues['SEND_EMAIL_HOOK_SECRET'] ?? '',
};
let answers: typeof usual;

async function serve(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/auth/v1/settings') return Response.json(answers.auth);
  // The site is at this machine here.
  if (pathname.endsWith('/config/auth'))
    return new Response(
      JSON.stringify(answers.authConfig).replaceAll('https://kasavu.test', services.url),
    );
  if (pathname === '/api/send-email') {
    vi.stubEnv('SEND_EMAIL_HOOK_SECRET', answers.hookSecret);
    return sendEmailEndpoint(request, {} as Parameters<typeof sendEmailEndpoint>[1]);
  }
  if (pathname === '/build.json')
    return Response.json({ version: 1, builtAt: '2026-11-28T00:00:00.000Z' });
  if (pathname === '/hook') return new Response(null, { status: answers.hook });
  if (pathname !== '/api/payment/webhook') return new Response(null, { status: 404 });
  if (answers.webhook === 'open')
    return Response.json({ received: true }, { headers: { 'x-request-id': crypto.randomUUID() } });
  return webhookEndpoint(request, {} as Parameters<typeof webhookEndpoint>[1]);
}

beforeAll(async () => {
  services = await serveFetch(serve);
});
beforeEach(() => {
  answers = structuredClone(usual);
  stack.razorpay.reset();
  stack.mail.reset();
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await services.close();
});

/** The shop at these services, with other variables where a row says so. */
function target(env: Record<string, string> = {}, changes: Partial<Target> = {}): Target {
  const own = {
    RAZORPAY_KEY_ID: keyId,
    RAZORPAY_KEY_SECRET: keySecret,
    RAZORPAY_WEBHOOK_SECRET: webhookSecret,
    RAZORPAY_API_URL: stack.razorpay.url,
  };
  const values = {
    ...liveValues,
    ...own,
    SMTP_URL: stack.mail.url,
    PUBLIC_SUPABASE_URL: services.url,
    SUPABASE_URL: stack.database.url,
    SUPABASE_SECRET_KEY: secretKey,
    BUILD_HOOK_URL: `${services.url}/hook`,
    PUBLIC_TURNSTILE_SITE_KEY: '0x4AAA',
    ...env,
  };
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
  return targetOf({
    env: values,
    context: 'dev',
    site: services.url,
    sendMail: true,
    embedded: true,
    supabaseApi: { address: services.url, token: 'token' },
    ...changes,
  });
}

/** An order and a payment on it at the provider, made by the shop's own call. */
async function payAtProvider(change: Parameters<Stack['razorpay']['pay']>[1] = {}): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
  const body = JSON.stringify({
    amount: 10_000,
    currency: 'INR',
    receipt: crypto.randomUUID(),
    notes: {},
  });
  const order = (await (
    await fetch(`${stack.razorpay.url}/v1/orders`, {
      method: 'POST',
      headers: { authorization },
      body,
    })
  ).json()) as { id: string };
  stack.razorpay.pay(order.id, { created_at: Math.floor(Date.now() / 1000) - 7_200, ...change });
}

const captcha = 'Auth asks for the security check exactly when the pages send it';
const settings = 'Auth’s settings are those of supabase/config.toml';
/** What another answer of the services is found as. */
const signUpRows: readonly (readonly [
  check: string,
  words: RegExp,
  answers: {
    auth?: Partial<typeof usual.auth>;
    authConfig?: Partial<typeof usual.authConfig>;
    hookSecret?: string;
  },
  env?: Record<string, string>,
])[] = [
  [captcha, /no page sends one: nobody can/u, {}, { PUBLIC_TURNSTILE_SITE_KEY: '' }],
  [
    captcha,
    /Neither Supabase nor the pages/u,
    { authConfig: { security_captcha_enabled: false } },
    { PUBLIC_TURNSTILE_SITE_KEY: '' },
  ],
  [captcha, /token of hcaptcha/u, { authConfig: { security_captcha_provider: 'hcaptcha' } }],
  [captcha, /does not look at it/u, { authConfig: { security_captcha_enabled: false } }],
  [
    settings,
    /old session/u,
    { authConfig: { security_update_password_require_reauthentication: false } },
  ],
  [settings, /Secure email change/u, { authConfig: { mailer_secure_email_change_enabled: false } }],
  [settings, /not the 8 digits/u, { authConfig: { mailer_otp_length: 6 } }],
  [settings, /valid for longer/u, { authConfig: { mailer_otp_exp: 3600 } }],
  [settings, /more than 30 codes/u, { authConfig: { rate_limit_verify: 360 } }],
  [
    'An address is confirmed before its account can be used',
    /another person’s address/u,
    { auth: { mailer_autoconfirm: true } },
  ],
  ['Customers may sign up by e-mail', /closed/u, { auth: { disable_signup: true } }],
  ['Customers may sign up by e-mail', /off/u, { auth: { external: { email: false } } }],
  [settings, /two an hour/u, { authConfig: { hook_send_email_enabled: false } }],
  [
    settings,
    /calls another address/u,
    { authConfig: { hook_send_email_uri: 'https://another.test/api/send-email' } },
  ],
  [settings, /limit of Auth’s mails is low/u, { authConfig: { rate_limit_email_sent: 2 } }],
  [settings, /again too soon/u, { authConfig: { smtp_max_frequency: 1 } }],
  [
    'The shop takes what Auth sends',
    /401/u,
    { hookSecret: `v1,whsec_${Buffer.alloc(32, 'x').toString('base64')}` },
  ],
  [settings, /second factor/u, { authConfig: { mfa_totp_enroll_enabled: true } }],
  [settings, /site URL/u, { authConfig: { site_url: 'http://localhost:3000' } }],
  [
    settings,
    /also lead elsewhere/u,
    { authConfig: { uri_allow_list: 'https://kasavu.test/auth,https://other.test/**' } },
  ],
];

test('each fault of the sign-up is found, with what to do', async () => {
  expect(await expectHealthy(signUpChecks, target({}, { site: services.url }))).toEqual([]);
  expect(
    untried(
      signUpChecks,
      signUpRows.map(([check]) => ({ check })),
    ),
  ).toEqual([]);
  await eachRow(signUpRows, async ([check, words, changed, env]) => {
    answers = {
      ...structuredClone(usual),
      ...changed,
      auth: { ...usual.auth, ...changed.auth },
      authConfig: { ...usual.authConfig, ...changed.authConfig },
    };
    await expectFault(signUpChecks, check, target(env, { site: services.url }), words);
  });
});

/** Events that arrived two hours ago, in place of those before. */
async function receiveEvents(...names: readonly string[]): Promise<void> {
  await stack.sql('delete from public.webhook_events where true');
  for (const name of names)
    await stack.sql(
      `insert into public.webhook_events (event_id, event, payment_id, received_at) values ($1, $1, 'pay_00000000000001', now() - interval '2 hours')`,
      name,
    );
}

interface PaymentRow {
  check: string;
  make?: () => Promise<void> | void;
  env?: Record<string, string>;
  words: RegExp;
}
test('while Razorpay cannot be reached nobody is told to replace the keys', async () => {
  const unreachable = target({ RAZORPAY_API_URL: 'http://127.0.0.1:9' });
  expect(await findingOf(paymentChecks, 'Razorpay accepts the keys', unreachable)).toMatchObject({
    result: 'skipped',
  });
  expect((await findingOf(paymentChecks, 'Razorpay answers', unreachable)).fix).toContain(
    'The keys may be right: change nothing',
  );
});

const events = 'Razorpay sends every event that payments cause';
const paymentRows: readonly PaymentRow[] = [
  {
    check: 'Razorpay accepts the keys',
    env: { RAZORPAY_KEY_SECRET: 'the-secret-of-another-key' },
    words: /refuses the key id/u,
  },
  {
    check: 'Razorpay answers',
    make: () => {
      stack.razorpay.faults.push({ call: 'GET', fault: 'error' });
    },
    words: /failed, 500/u,
  },
  {
    check: 'No payment waits to be captured',
    make: () => payAtProvider({ status: 'authorized' }),
    words: /1 payments .* authorised only/u,
  },
  {
    check: 'The shop bears Razorpay’s fees',
    make: () => payAtProvider({ amount: 10_236 }),
    words: /fee was added/u,
  },
  {
    check: 'The deployed webhook takes what this secret signs',
    make: () => {
      vi.stubEnv('RAZORPAY_WEBHOOK_SECRET', 'the-secret-that-was-deployed');
    },
    words: /another RAZORPAY_WEBHOOK_SECRET/u,
  },
  {
    check: 'The deployed webhook takes what this secret signs',
    make: () => {
      vi.stubEnv('RAZORPAY_WEBHOOK_SECRET', '');
    },
    words: /no RAZORPAY_WEBHOOK_SECRET/u,
  },
  {
    check: events,
    make: async () => {
      await payAtProvider();
      await receiveEvents('order.paid');
    },
    words:
      /^No payment\.captured event has come in three days, although 1 payment was captured\.$/u,
  },
  {
    check: events,
    make: async () => {
      await payAtProvider();
      await receiveEvents('payment.captured', 'payment.failed');
    },
    words: /^No order\.paid event/u,
  },
  {
    check: events,
    make: async () => {
      await payAtProvider({ status: 'failed' });
      await payAtProvider({ status: 'failed' });
      await receiveEvents('payment.captured', 'order.paid');
    },
    words: /^No payment\.failed event .* although 2 payments were refused\.$/u,
  },
];
// Their faults are made in doctor-variables.test.ts, where production's rules hold.
const rulesOfKeys = [
  'The keys are of the kind that the context asks for',
  'The shop is open to buy',
];

test('each fault at the payment provider is found, with what to do', async () => {
  await payAtProvider();
  await receiveEvents('payment.captured', 'order.paid');
  expect(await expectHealthy(paymentChecks, target())).toEqual([]);
  expect(untried(paymentChecks, paymentRows)).toEqual(rulesOfKeys);
  await eachRow(paymentRows, async ({ check, make, env, words }) => {
    vi.unstubAllEnvs();
    answers = structuredClone(usual);
    stack.razorpay.reset();
    const shop = target(env);
    await make?.();
    await expectFault(paymentChecks, check, shop, words);
  });
});

test('without a payment nobody knows who bears the fees, nor which events arrive, and the doctor says so', async () => {
  for (const check of ['The shop bears Razorpay’s fees', events])
    expect(await findingOf(paymentChecks, check, target())).toMatchObject({ result: 'skipped' });
});

test('each fault of the mail server is found, and one mail is sent when all is well', async () => {
  expect(await expectHealthy(mailChecks, target())).toEqual([]);
  expect(stack.mail.mails.map(({ to }) => to)).toEqual([['owner@kasavu.test']]);
  await expectFault(
    mailChecks,
    'The mail server lets the shop in',
    target({ SMTP_URL: 'smtp://127.0.0.1:9259' }),
    /ESOCKET|ECONNECTION|ECONNREFUSED/u,
  );
  const unnamed = await findingOf(
    mailChecks,
    'The mail server lets the shop in',
    target({ SMTP_URL: 'smtp://mail.invalid' }),
  );
  expect(unnamed.fix).toContain(/\bE[A-Z]+\b/u.exec(unnamed.what)?.[0] ?? 'a code');
  stack.mail.setRefusing(true);
  await expectFault(mailChecks, 'The mail server takes a mail to the owner', target(), /451/u);
  expect(
    await findingOf(
      mailChecks,
      'The mail server takes a mail to the owner',
      target({}, { sendMail: false }),
    ),
  ).toMatchObject({ result: 'skipped' });
});

test('the doctor finds a build hook that is down or unknown to Netlify, and starts a build only on request', async () => {
  const name = 'The build hook answers';
  answers.hook = 404;
  expect(await findingOf(publishingChecks, name, target())).toMatchObject({ result: 'ok' });
  await expectFault(
    publishingChecks,
    name,
    target({}, { triggerBuild: true }),
    /404: Netlify does not know it/u,
  );
  answers.hook = 503;
  await expectFault(publishingChecks, name, target(), /503/u);
});
