import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Target } from '../../../local/doctor/check.ts';
import { netlifyChecks } from '../../../local/doctor/netlify-checks.ts';
import { eachRow } from '../../each-row.ts';
import { serveFetch, type Served } from '../support/serve-fetch.ts';
import { expectFault, expectHealthy, targetOf, untried } from './doctor-target.ts';

/* Faults of the variables and regions: the management APIs of Netlify and Supabase answer on this machine, as they are documented. */
const secrets = [
  'SUPABASE_SECRET_KEY',
  'SEND_EMAIL_HOOK_SECRET',
  'RAZORPAY_KEY_SECRET',
  'RAZORPAY_WEBHOOK_SECRET',
  'SMTP_URL',
  'BUILD_HOOK_URL',
  'ADMIN_PASSWORD_HASH',
];
const others = [
  'PUBLIC_SUPABASE_URL',
  'PUBLIC_SUPABASE_PUBLISHABLE_KEY',
  'SUPABASE_URL',
  'RAZORPAY_KEY_ID',
  'MAIL_FROM',
  'OWNER_EMAIL',
];
const usual = {
  env: [...secrets, ...others].map((key) => ({
    key,
    is_secret: secrets.includes(key),
    scopes: secrets.includes(key) ? ['functions'] : ['builds', 'functions', 'runtime'],
    values: [{ context: 'production', value: '' }],
  })),
  regions: { functions: 'sin', database: 'ap-southeast-1' },
};
let answers: typeof usual;
let services: Served;

function serve(request: Request): Response {
  const { pathname } = new URL(request.url);
  if (pathname === '/api/v1/sites/site-1')
    return Response.json({ account_id: 'account-1', functions_region: answers.regions.functions });
  if (/^\/v1\/projects\/\w+$/u.test(pathname))
    return Response.json({ region: answers.regions.database });
  if (pathname === '/api/v1/accounts/account-1/env') return Response.json(answers.env);
  return new Response(null, { status: 404 });
}

beforeAll(async () => {
  services = await serveFetch(serve);
});
beforeEach(() => {
  answers = structuredClone(usual);
});
afterAll(() => services.close());

const target = (): Target =>
  targetOf({
    supabaseApi: { address: services.url, token: 'token' },
    netlifyApi: { address: services.url, token: 'token', siteId: 'site-1' },
  });

const entry = (key: string): (typeof usual.env)[number] => {
  const found = answers.env.find((one) => one.key === key);
  if (!found) throw new Error(`${key} is not among the variables`);
  return found;
};
const netlifyRows = [
  {
    check: 'Netlify has every needed variable for production',
    make: () => {
      entry('OWNER_EMAIL').values = [{ context: 'deploy-preview', value: 'a' }];
    },
    words: /OWNER_EMAIL/u,
  },
  {
    check: 'No secret of the live shop reaches a preview',
    make: () => {
      entry('SUPABASE_SECRET_KEY').values = [{ context: 'all', value: '' }];
    },
    words: /SUPABASE_SECRET_KEY/u,
  },
  {
    check: 'Secrets are kept as secrets',
    make: () => {
      entry('SMTP_URL').is_secret = false;
    },
    words: /SMTP_URL/u,
  },
  {
    check: 'No secret reaches the build',
    make: () => {
      entry('RAZORPAY_KEY_SECRET').scopes = ['builds', 'functions'];
    },
    words: /can read RAZORPAY_KEY_SECRET/u,
  },
  {
    check: 'No secret reaches the build',
    make: () => {
      entry('SMTP_URL').scopes = [];
    },
    words: /can read SMTP_URL/u,
  },
  {
    check: 'Previews use Razorpay’s test mode',
    make: () => {
      entry('RAZORPAY_KEY_ID').values.push({ context: 'branch-deploy', value: 'rzp_live_0123' });
    },
    words: /branch-deploy/u,
  },
  {
    check: 'Functions run beside the database',
    make: () => {
      answers.regions.functions = 'cmh';
    },
    words: /in cmh, the database in ap-southeast-1/u,
  },
] as const;

test('each fault of the variables in Netlify is found, with what to do', async () => {
  expect(await expectHealthy(netlifyChecks, target())).toEqual([]);
  expect(untried(netlifyChecks, netlifyRows)).toEqual([]);
  await eachRow(netlifyRows, async ({ check, make, words }) => {
    answers = structuredClone(usual);
    make();
    await expectFault(netlifyChecks, check, target(), words);
  });
});
