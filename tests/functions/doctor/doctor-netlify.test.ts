import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Target } from '../../../local/doctor/check.ts';
import { netlifyChecks } from '../../../local/doctor/netlify-checks.ts';
import { eachRow } from '../../each-row.ts';
import { serveFetch, type Served } from '../support/serve-fetch.ts';
import { expectFault, expectHealthy, findingOf, targetOf, untried } from './doctor-target.ts';

/*
 * Faults of the account, variables and regions. The management APIs of Netlify and Supabase answer on this machine, as they are documented
 * (github.com/netlify/open-api, swagger.yml).
 */
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
    scopes: secrets.includes(key) ? ['functions'] : ['builds', 'functions', 'runtime'],
    values: [{ context: 'production', value: '' }],
  })),
  regions: { database: 'ap-southeast-1' },
  site: {
    id: 'site-1',
    account_id: 'account-1',
    functions_region: 'sin' as string | null,
    published_deploy: { id: 'deploy-1', functions_region: 'sin' as string | null },
  },
  account: {
    id: 'account-1',
    name: 'Kasavu',
    slug: 'kasavu',
    type_name: 'Pro',
    type_id: 'type-1',
    roles_allowed: ['Owner', 'Developer'],
  },
  forms: [
    { id: 'form-1', site_id: 'site-1', name: 'order', paths: ['/cart'], submission_count: 0 },
  ],
  /** Days ago of each deploy of production, newest first. */
  deploys: [0, 0, 0] as number[],
  /** How many of the first are skipped, and how many of the last are ignored. */
  skipped: 0,
  ignored: 0,
};
let answers: typeof usual;

/** A page of listSiteDeploys. */
function deployPage(query: URLSearchParams): Response {
  const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))];
  const all = answers.deploys.map((days, index) => ({
    id: `deploy-${String(index)}`,
    state: index % 4 === 3 ? 'error' : 'ready',
    context: 'production',
    skipped: index < answers.skipped ? true : null,
    error_message:
      index >= answers.deploys.length - answers.ignored
        ? "Failed during stage 'checking build content for changes': Canceled build due to no content change"
        : null,
    created_at: new Date(Date.now() - days * 86_400_000).toISOString(),
  }));
  // Netlify lists previews as well when it is not asked for production.
  if (query.get('production') !== 'true') return Response.json([]);
  return Response.json(all.slice((page - 1) * size, page * size));
}
let services: Served;

function serve(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/api/v1/sites/site-1') return Response.json(answers.site);
  if (pathname === '/api/v1/sites/site-1/deploys') return deployPage(searchParams);
  if (pathname === '/api/v1/sites/site-1/forms') return Response.json(answers.forms);
  if (pathname === '/api/v1/accounts/account-1') return Response.json(answers.account);
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

const checks = netlifyChecks;
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
      answers.site.published_deploy.functions_region = 'cmh';
    },
    words:
      /in cmh, the database in ap-southeast-1: every step of a purchase crosses the way between them\.$/u,
  },
  {
    check: 'Functions run beside the database',
    make: () => {
      noRegion();
      answers.account.type_name = 'Free';
    },
    words: /in cmh, .* Netlify’s plan Free has no region of functions to choose: it needs Pro\.$/u,
  },
  {
    check: 'No secret reaches the build',
    make: () => {
      entry('SMTP_URL').scopes = ['builds', 'functions', 'runtime'];
      answers.account.type_name = 'Personal';
    },
    words:
      /can read SMTP_URL\. Netlify’s plan Personal has no scopes of variables: it needs Pro\.$/u,
  },
  {
    check: 'Netlify’s plan has what the shop needs',
    make: () => {
      answers.account.type_name = 'Free';
    },
    words: /plan Free.* 300 credits pay for 20 deploys/u,
  },
  {
    check: 'Deploys leave most of the month’s credits to customers',
    make: () => {
      answers.deploys = [...Array<number>(81).fill(1), ...Array<number>(90).fill(31)];
    },
    words: /^81 deploys .* took 1215 of the 3000 credits that the plan Pro has/u,
  },
  {
    check: 'Deploys leave most of the month’s credits to customers',
    make: () => {
      answers.deploys = Array<number>(130).fill(2);
    },
    words: /^130 deploys/u,
  },
  {
    check: 'Deploys leave most of the month’s credits to customers',
    make: () => {
      answers.account.type_name = 'Free';
      answers.deploys = Array<number>(9).fill(2);
    },
    words: /^9 deploys .* 135 of the 300/u,
  },
  {
    check: 'Netlify stores the forms that the shop sends',
    make: () => {
      answers.forms = [];
    },
    words: /does not know the form “order”/u,
  },
] as const;

function noRegion(): void {
  answers.site.functions_region = null;
  answers.site.published_deploy.functions_region = null;
}

test('each fault of the account and the variables in Netlify is found, with what to do', async () => {
  expect(await expectHealthy(checks, target())).toEqual([]);
  expect(untried(checks, netlifyRows)).toEqual([]);
  await eachRow(netlifyRows, async ({ check, make, words }) => {
    answers = structuredClone(usual);
    make();
    await expectFault(checks, check, target(), words);
  });
});

test('functions without a chosen region run in Ohio, which is right beside a database there', async () => {
  const name = 'Functions run beside the database';
  noRegion();
  await expectFault(checks, name, target(), /in cmh/u);
  answers.regions.database = 'us-east-2';
  expect(await findingOf(checks, name, target())).toMatchObject({ result: 'ok' });
});

test('deploys that were skipped or ignored cost nothing, and a plan of before has no credits to compare with', async () => {
  answers.deploys = Array<number>(90).fill(1);
  Object.assign(answers, { skipped: 5, ignored: 5 });
  const credits = 'Deploys leave most of the month’s credits to customers';
  expect(await findingOf(checks, credits, target())).toMatchObject({ result: 'ok' });
  answers.ignored = 4;
  expect(await findingOf(checks, credits, target())).toMatchObject({ result: 'fault' });
  answers.account.type_name = 'Open Source';
  for (const name of [credits, 'Netlify’s plan has what the shop needs'])
    expect(await findingOf(checks, name, target())).toMatchObject({
      result: 'skipped',
      what: expect.stringContaining('does not know') as unknown,
    });
});
