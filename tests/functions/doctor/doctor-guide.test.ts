import http from 'node:http';
import https from 'node:https';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Target } from '#local/doctor/check.ts';
import { readMigratedSchema } from '#local/doctor/schema-of-migrations.ts';
import { runChecks, subjects, type Finding } from '#local/doctor/run-checks.ts';
import webhookEndpoint from '#netlify/functions/payment-webhook.ts';
import sendEmailEndpoint from '#netlify/functions/send-email.ts';
import { unknownNetwork } from '#core/platform/costs.ts';
import { shop } from '#settings/shop.ts';
import { eachRow } from '#tests/each-row.ts';
import { publishableKey, secretKey } from '#tests/functions/support/database-server.ts';
import { keyId, keySecret } from '#tests/functions/support/razorpay-server.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';
import { useStack } from '#tests/functions/support/stack.ts';
import { liveValues, targetOf } from './doctor-target.ts';
import { usualAuth } from './usual-auth.ts';
import { answerAsNetlify, usualNetlify } from './usual-netlify.ts';

/*
 * A laptop with the `.env` that docs/going-live.md makes, in production's rules, against services that are set up right: the addresses
 * are the real ones, and only the way to them leads to this machine. What the site shows is looked at in tests/browser/site/doctor.spec.ts;
 * the facts of src/shop are no service.
 */
const elsewhere = ['The site', 'Facts of the shop'];
const site = 'https://kasavu.test';
const project = liveValues['SUPABASE_URL'] ?? '';

const exampleFile = readFileSync('.env.example', 'utf8');
const [before = '', setByNetlify = ''] = exampleFile.split('# --- Set by Netlify');
/** The variables that only Netlify has. */
const netlifyOwn = [...setByNetlify.matchAll(/^#?([A-Z_]+)=/gmu)].map(([, name = '']) => name);

/** The file of the guide: every line of .env.example that is no comment, and what steps 1, 5 and 8 add. */
function guideFile(): Record<string, string> {
  const names = Object.keys(parseEnv(before));
  const missing = names.filter((name) => liveValues[name] === undefined);
  if (missing.length > 0) throw new Error(`No value for ${missing.join(', ')}`);
  return {
    ...Object.fromEntries(names.map((name) => [name, liveValues[name] ?? ''])),
    SUPABASE_SECRET_KEY: secretKey,
    PUBLIC_SUPABASE_PUBLISHABLE_KEY: publishableKey,
    SMTP_URL: stack.mail.url,
    SUPABASE_ACCESS_TOKEN: 'sbp_token',
    NETLIFY_AUTH_TOKEN: 'nfp_token',
    NETLIFY_SITE_ID: 'site-1',
    SHOP_AUTH_PAGE: `${site}/auth`,
    AUTH_CAPTCHA: 'true',
    PUBLIC_TURNSTILE_SITE_KEY: '0x4AAA',
    TURNSTILE_SECRET_KEY: '0x4AAA_secret',
  };
}

const stack = await useStack();
let services: Served;
let usual: {
  netlify: typeof usualNetlify;
  auth: typeof usualAuth;
  hook: number;
  deployed: Record<string, string>;
};
let answers: typeof usual;
let read: Set<string>;

/** The services at their real addresses. */
async function serve(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/auth/v1/settings') return Response.json(answers.auth.auth);
  if (pathname.endsWith('/config/auth')) return Response.json(answers.auth.authConfig);
  if (pathname.startsWith('/build_hooks/')) return new Response(null, { status: answers.hook });
  if (pathname === '/build.json')
    return Response.json({ version: 1, builtAt: '2026-11-28T00:00:00.000Z' });
  const context = {} as Parameters<typeof webhookEndpoint>[1];
  for (const [name, value] of Object.entries(answers.deployed)) vi.stubEnv(name, value);
  if (pathname === '/api/send-email') return sendEmailEndpoint(request, context);
  if (pathname === '/api/payment/webhook') return webhookEndpoint(request, context);
  return answerAsNetlify(answers.netlify, request);
}

/** Calls with the platform's fetch and by Razorpay's package arrive at this machine. */
function leadHere(): void {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const isData = url.origin === project && !url.pathname.startsWith('/auth/v1/settings');
    const here = isData ? stack.database.url : services.url;
    const there = [project, site, 'https://api.supabase.com', 'https://api.netlify.com'];
    if (!there.includes(url.origin)) return real(input, init);
    const address = new URL(url.pathname + url.search, here);
    return real(input instanceof Request ? new Request(address, input) : address, init);
  });
  const { hostname, port } = new URL(stack.razorpay.url);
  const ownSecret = `:${liveValues['RAZORPAY_KEY_SECRET'] ?? ''}`;
  vi.spyOn(https, 'request').mockImplementation(((
    options: https.RequestOptions,
    done: (answer: http.IncomingMessage) => void,
  ) => {
    if (options.hostname !== 'api.razorpay.com')
      throw new Error(`Nothing is to be asked of ${options.hostname ?? ''}`);
    const plain = {
      ...options,
      agent: undefined,
      protocol: 'http:',
      hostname,
      host: hostname,
      port,
    };
    // The sandbox has keys of its own: the shop's secret is right, any other wrong.
    const auth = options.auth?.endsWith(ownSecret) ? `${keyId}:${keySecret}` : options.auth;
    return http.request({ ...plain, auth }, done);
  }) as typeof https.request);
}

beforeAll(async () => {
  services = await serveFetch(serve);
  await readMigratedSchema();
  await stack.addProduct();
}, 240_000);
beforeEach(() => {
  const auth = structuredClone(usualAuth);
  usual = { netlify: structuredClone(usualNetlify), auth, hook: 405, deployed: {} };
  answers = structuredClone(usual);
  read = new Set();
  stack.mail.reset();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
afterAll(() => services.close());

const pastSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds;
/** An order and its payment two hours ago. */
function payAtProvider(change: Parameters<typeof stack.razorpay.pay>[1] = {}): void {
  const order = stack.razorpay.addOrder({ amount: 10_000 });
  stack.razorpay.pay(order.id, { created_at: pastSeconds(7_200), ...change });
}

async function receiveEvents(...names: readonly string[]): Promise<void> {
  await stack.sql('delete from public.webhook_events where true');
  for (const name of names)
    await stack.sql(
      `insert into public.webhook_events (event_id, event, payment_id, received_at) values ($1, $1, 'pay_00000000000001', now() - interval '2 hours')`,
      name,
    );
}
const codeFrom = (key: string): Promise<unknown> =>
  stack.sql(`insert into costs (effect, scope, key) values ('code_mail', 'shared', $1)`, key);

/** The doctor's findings about everything but the pages, as `npm run doctor -- --env-file .env --site … --send-mail` has them. */
async function visit(changes: Record<string, string> = {}): Promise<Finding[]> {
  const file = { ...guideFile(), ...changes };
  answers.deployed = {
    SEND_EMAIL_HOOK_SECRET: liveValues['SEND_EMAIL_HOOK_SECRET'] ?? '',
    RAZORPAY_WEBHOOK_SECRET: liveValues['RAZORPAY_WEBHOOK_SECRET'] ?? '',
    ...answers.deployed,
  };
  vi.unstubAllEnvs();
  // The stack's own settings are those of a deployed site.
  for (const name of [...netlifyOwn, 'RAZORPAY_API_URL', 'TURNSTILE_API_URL', 'CDN_API_URL'])
    vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries({ ...file, CONTEXT: 'production' }))
    vi.stubEnv(name, value);
  const env = new Proxy<Target['env']>(file, {
    get(values, name) {
      read.add(String(name));
      return Reflect.get(values, name) as string | undefined;
    },
  });
  leadHere();
  const findings = await runChecks(
    targetOf({
      env,
      site,
      sendMail: true,
      supabaseApi: { address: 'https://api.supabase.com', token: file['SUPABASE_ACCESS_TOKEN'] },
      netlifyApi: {
        address: 'https://api.netlify.com',
        token: file['NETLIFY_AUTH_TOKEN'],
        siteId: file['NETLIFY_SITE_ID'],
      },
    }),
    Object.fromEntries(Object.entries(subjects).filter(([name]) => !elsewhere.includes(name))),
  );
  vi.restoreAllMocks();
  return findings;
}

/** Everything as the guide leaves it, with a payment and a code of today. */
async function setUpRight(): Promise<void> {
  stack.razorpay.reset();
  stack.mail.reset();
  payAtProvider();
  await receiveEvents('payment.captured', 'order.paid');
  await stack.sql(`delete from costs where effect = 'code_mail'`);
  await codeFrom('a-network');
}

test('the file of the guide and services that are set up right have no fault, and every check looked', async () => {
  await setUpRight();
  const findings = await visit();
  expect(findings.length).toBeGreaterThan(35);
  expect(findings.filter(({ result }) => result !== 'ok')).toEqual([]);
  expect(stack.mail.mails).toHaveLength(1);
});

test('no check reads a variable that only Netlify has', async () => {
  await setUpRight();
  await visit();
  expect(netlifyOwn.toSorted()).toEqual(['CONTEXT', 'DEPLOY_ID', 'URL']);
  expect([...read].filter((name) => netlifyOwn.includes(name))).toEqual([]);
});

const envEntry = (key: string): (typeof usualNetlify.env)[number] => {
  const found = answers.netlify.env.find((one) => one.key === key);
  if (!found) throw new Error(`${key} is not among the variables`);
  return found;
};
const legacy = `e30.${Buffer.from(JSON.stringify({ role: 'anon' })).toString('base64url')}.sig`;
const sql = async (statement: string): Promise<void> => {
  await stack.sql(statement);
};

/** One fault for each check, and how it is made. A change of the file, or of what a service answers. */
const faults: Readonly<
  Record<string, { env?: Record<string, string>; make?: () => unknown; undo?: () => unknown }>
> = {
  'Every variable that the shop needs is set': { env: { ADMIN_PASSWORD_HASH: '' } },
  'Every variable has the form of its kind': { env: { VAPID_PRIVATE_KEY: 'no-key' } },
  'No variable has the value of .env.example': { env: { OWNER_EMAIL: 'owner@example.com' } },
  'Each key of Supabase is in its place': { env: { PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'rzp_1' } },
  'The keys of Supabase are the new ones': { env: { PUBLIC_SUPABASE_PUBLISHABLE_KEY: legacy } },
  'Pages and functions use the same database': {
    env: { PUBLIC_SUPABASE_URL: 'https://tsrqponmlkjihgfedcba.supabase.co' },
  },
  'Turnstile has both of its keys, or neither': { env: { TURNSTILE_SECRET_KEY: '' } },
  'Nothing of the embedded stack is set for a deployed site': { env: { BUILDS_ARE_FREE: 'yes' } },
  'Supabase can be reached, and takes both keys': {
    env: { PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_another_project' },
  },
  'The migrations are applied': {
    make: () =>
      sql(`delete from supabase_migrations.schema_migrations where version = '20261129000420'`),
    undo: () =>
      sql(
        `insert into supabase_migrations.schema_migrations (version, name) values ('20261129000420', 'disputed_money')`,
      ),
  },
  'The database is not newer than this checkout': {
    make: () =>
      sql(
        `insert into supabase_migrations.schema_migrations (version, name) values ('29990101000000', 'later')`,
      ),
    undo: () =>
      sql(`delete from supabase_migrations.schema_migrations where version = '29990101000000'`),
  },
  'The database is as the migrations make it': {
    make: () => sql('grant insert on public.orders to authenticated'),
    undo: () => sql('revoke insert on public.orders from authenticated'),
  },
  'The database has the prefixes of this checkout': {
    make: () => sql(`update public.shop_settings set order_prefix = 'XX' where true`),
    undo: () =>
      sql(`update public.shop_settings set order_prefix = '${shop.prefixes.order}' where true`),
  },
  'A visitor reads the catalogue, and there is something in it': {
    make: () => sql('update public.products set hidden = true where true'),
    undo: () => sql('update public.products set hidden = false where true'),
  },
  'Auth names the network of whoever requests a code': {
    make: () => codeFrom(unknownNetwork(secretKey)),
  },
  'Auth asks for the security check exactly when the pages send it': {
    make: () => {
      answers.auth.authConfig.security_captcha_enabled = false;
    },
  },
  'An address is confirmed before its account can be used': {
    make: () => {
      answers.auth.auth.mailer_autoconfirm = true;
    },
  },
  'Customers may sign up by e-mail': {
    make: () => {
      answers.auth.auth.disable_signup = true;
    },
  },
  'Auth’s settings are those of supabase/config.toml': {
    make: () => {
      answers.auth.authConfig.site_url = 'http://localhost:3000';
    },
  },
  'The shop takes what Auth sends': {
    make: () => {
      answers.deployed['SEND_EMAIL_HOOK_SECRET'] =
        `v1,whsec_${Buffer.alloc(32, 'x').toString('base64')}`;
    },
  },
  'The keys are of the kind that the context asks for': { env: { RAZORPAY_KEY_ID: 'key_0123' } },
  'The shop is open to buy': { env: { RAZORPAY_KEY_ID: 'rzp_test_0123456789abcd' } },
  'Razorpay answers': {
    make: () => {
      for (let call = 0; call < 9; call += 1)
        stack.razorpay.faults.push({ call: 'GET', fault: 'error' });
    },
  },
  'Razorpay accepts the keys': { env: { RAZORPAY_KEY_SECRET: 'the-secret-of-another-key' } },
  'No payment waits to be captured': { make: () => payAtProvider({ status: 'authorized' }) },
  'The shop bears Razorpay’s fees': { make: () => payAtProvider({ amount: 10_236 }) },
  'The deployed webhook takes what this secret signs': {
    make: () => {
      answers.deployed['RAZORPAY_WEBHOOK_SECRET'] = 'the-secret-that-was-deployed-0123';
    },
  },
  'Razorpay sends every event that payments cause': { make: () => receiveEvents('order.paid') },
  'The mail server lets the shop in': { env: { SMTP_URL: 'smtp://127.0.0.1:9259' } },
  'The mail server takes a mail to the owner': {
    make: () => {
      stack.mail.setRefusing(true);
    },
  },
  'Mail comes from the shop’s own domain': { env: { MAIL_FROM: 'Shop <kasavu@gmail.com>' } },
  'The build hook answers': {
    make: () => {
      answers.hook = 503;
    },
  },
  'Netlify has every needed variable for production': {
    make: () => {
      envEntry('OWNER_EMAIL').values = [{ context: 'deploy-preview', value: 'a' }];
    },
  },
  'No secret of the live shop reaches a preview': {
    make: () => {
      envEntry('SMTP_URL').values = [{ context: 'all', value: '' }];
    },
  },
  'No secret reaches the build': {
    make: () => {
      envEntry('SMTP_URL').scopes = ['builds', 'functions'];
    },
  },
  'Previews use Razorpay’s test mode': {
    make: () => {
      envEntry('RAZORPAY_KEY_ID').values.push({ context: 'branch-deploy', value: 'rzp_live_0' });
    },
  },
  'Functions run beside the database': {
    make: () => {
      answers.netlify.site.published_deploy.functions_region = 'cmh';
    },
  },
  'Netlify’s plan has what the shop needs': {
    make: () => {
      answers.netlify.account.type_name = 'Personal';
    },
  },
  'Deploys leave most of the month’s credits to customers': {
    make: () => {
      answers.netlify.deploys = Array<number>(130).fill(2);
    },
  },
  'Netlify stores the forms that the shop sends': {
    make: () => {
      answers.netlify.forms = [];
    },
  },
};

/** Faults that cannot be made without another one, with the others. */
const together: Readonly<Record<string, readonly string[]>> = {
  'Each key of Supabase is in its place': ['Supabase can be reached, and takes both keys'],
  'The keys of Supabase are the new ones': ['Supabase can be reached, and takes both keys'],
  // Another project does not know the key of this one.
  'Pages and functions use the same database': ['Supabase can be reached, and takes both keys'],
  // Only a live key opens the shop.
  'The keys are of the kind that the context asks for': ['The shop is open to buy'],
  // A server that cannot be reached takes no mail, either.
  'The mail server lets the shop in': ['The mail server takes a mail to the owner'],
};

test('each check of the doctor finds its one fault in a shop that is set up right', async () => {
  const asked = Object.entries(subjects).filter(([name]) => !elsewhere.includes(name));
  expect(Object.keys(faults).sort()).toEqual(
    asked.flatMap(([, checks]) => checks.map(({ name }) => name)).sort(),
  );
  await eachRow(Object.entries(faults), async ([check, { env, make, undo }]) => {
    answers = structuredClone(usual);
    await setUpRight();
    await make?.();
    try {
      const findings = await visit(env);
      const found = findings.filter(({ result }) => result === 'fault');
      expect(found.map((finding) => finding.check).sort()).toEqual(
        [check, ...(together[check] ?? [])].sort(),
      );
      for (const { what, fix } of found)
        expect([what.length > 10, fix.length > 20]).toEqual([true, true]);
    } finally {
      await undo?.();
    }
  });
});

test('the guide lists every check of the doctor, and names no subject that the doctor has not', () => {
  const guide = readFileSync('docs/going-live.md', 'utf8');
  const rows = Object.entries(subjects).map(
    ([subject, checks]) => `| ${subject} | ${checks.map(({ name }) => name).join('; ')} |`,
  );
  const [, table = ''] = guide.split('## What the doctor checks');
  expect(
    table
      .split('\n')
      .filter((line) => /^\| (?!under)/u.test(line))
      .slice(0, rows.length),
  ).toEqual(rows);
  const named = [...guide.matchAll(/(?:checks?|fault|ok" to all|nothing) under\s"([^"]+)"/gu)];
  expect(named.length).toBeGreaterThan(4);
  expect(
    named.map(([, subject]) => subject).filter((name) => !Object.hasOwn(subjects, name ?? '')),
  ).toEqual([]);
});
