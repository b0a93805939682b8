import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Target } from '#local/doctor/check.ts';
import { netlifyChecks } from '#local/doctor/netlify-checks.ts';
import { eachRow } from '#tests/each-row.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';
import { expectFault, expectHealthy, findingOf, targetOf, untried } from './doctor-target.ts';
import { answerAsNetlify, type NetlifyAnswers, usualNetlify } from './usual-netlify.ts';

/* Faults of the account, variables and regions. */
let answers: NetlifyAnswers;
let services: Served;

beforeAll(async () => {
  services = await serveFetch((request) => answerAsNetlify(answers, request));
});
beforeEach(() => {
  answers = structuredClone(usualNetlify);
});
afterAll(() => services.close());

const checks = netlifyChecks;
const target = (): Target =>
  targetOf({
    supabaseApi: { address: services.url, token: 'token' },
    netlifyApi: { address: services.url, token: 'token', siteId: 'site-1' },
  });

const entry = (key: string): NetlifyAnswers['env'][number] => {
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
    answers = structuredClone(usualNetlify);
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
