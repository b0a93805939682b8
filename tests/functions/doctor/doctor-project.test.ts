import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Target } from '#local/doctor/check.ts';
import { runChecks, type Finding } from '#local/doctor/run-checks.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';
import { liveValues, targetOf } from './doctor-target.ts';

/* What Netlify answers in place of the shop. Every check of the doctor runs, and whoever asks past the log-in is found by the path. */
const login = '<title>Log in to Netlify</title><form>Log in to see this private project</form>';
const strangers = {
  'a private project that answers 401': () => new Response(login, { status: 401 }),
  'a private project that shows the log-in with 200': () => new Response(login),
  'a private project that redirects to the log-in': () =>
    new Response(null, {
      status: 302,
      headers: { location: 'https://app.netlify.com/authorize?site=1' },
    }),
  'a paused project that tells a browser': () =>
    new Response(
      '<h1>Site not available</h1><p>This site was paused as it reached its usage limits.</p>',
      { status: 503 },
    ),
  'a paused project that tells a program': () =>
    Response.json({ error: 'usage_exceeded' }, { status: 503 }),
  'another site': () => new Response('<h1>Welcome</h1>'),
  'a domain that redirects': () =>
    new Response(null, { status: 301, headers: { location: 'https://www.kasavu.test/' } }),
} as const;

let answer: (path: string) => Response;
let paths: string[] = [];
let server: Served;

beforeAll(async () => {
  server = await serveFetch((request) => {
    const { pathname } = new URL(request.url);
    paths.push(pathname);
    return answer(pathname);
  });
});
beforeEach(() => {
  paths = [];
});
afterAll(() => server.close());

/** Only what the checks of the site need, so that no other service is asked. */
const target = (changes: Partial<Target> = {}): Target =>
  targetOf({
    site: server.url,
    env: {
      URL: server.url,
      RAZORPAY_WEBHOOK_SECRET: liveValues['RAZORPAY_WEBHOOK_SECRET'],
      SEND_EMAIL_HOOK_SECRET: liveValues['SEND_EMAIL_HOOK_SECRET'],
    },
    ...changes,
  });

/** Checks of other subjects that ask the site. */
const askingFunctions = [
  'The deployed webhook takes what this secret signs',
  'The shop takes what Auth sends',
];

/** The findings of every check that looks at the site. */
async function lookAt(name: keyof typeof strangers, changes?: Partial<Target>): Promise<Finding[]> {
  answer = strangers[name];
  const findings = await runChecks(target(changes));
  const found = findings.filter(
    ({ subject, check }) => subject === 'The site' || askingFunctions.includes(check),
  );
  expect(found.length).toBeGreaterThan(12);
  return found;
}

const sentences = [
  ['a private project that answers 401', /Project visibility, Edit visibility: choose Public/u],
  ['a private project that shows the log-in with 200', /choose Public/u],
  ['a private project that redirects to the log-in', /choose Public/u],
  ['a paused project that tells a browser', /“Site not available”.*auto recharge/u],
  ['a paused project that tells a program', /“Site not available”.*auto recharge/u],
  ['another site', /is not this shop: \/build\.json is answered with 200/u],
  ['a domain that redirects', /is not this shop: \/build\.json is answered with 301/u],
] as const;

test.each(sentences)('the doctor says it once when there is %s', async (name, words) => {
  const findings = await lookAt(name);
  expect(findings.filter(({ result }) => result === 'fault')).toMatchObject([
    { check: 'The site answers', what: expect.stringMatching(words) as unknown },
  ]);
  expect(findings.filter(({ result }) => result === 'ok')).toEqual([]);
  expect(findings.find(({ check }) => check === 'The functions are deployed')).toMatchObject({
    result: 'skipped',
    what: expect.stringMatching(/private|paused|not this shop/u) as unknown,
  });
});

test('a refusal without the request id of the shop’s functions is a fault of every check that expects a refusal', async () => {
  answer = (path) =>
    path === '/build.json'
      ? Response.json({ version: 1, builtAt: '2026-11-28T00:00:00.000Z' })
      : new Response(null, { status: 401 });
  const findings = await runChecks(target());
  const expecting = [
    'The functions are deployed',
    'The owner’s page is closed',
    ...askingFunctions,
  ];
  expect(
    findings
      .filter(({ what }) => what.includes('401, by something else than this shop’s function'))
      .map(({ check }) => check)
      .sort(),
  ).toEqual(expecting.filter((check) => check !== 'The shop takes what Auth sends').sort());
  expect(findings.find(({ check }) => check === 'The shop takes what Auth sends')).toMatchObject({
    result: 'fault',
  });
});

test('no check of any subject looks past what answers in place of the shop', async () => {
  await lookAt('a private project that answers 401');
  expect(paths).toEqual(['/build.json']);
});

test('a private preview is no fault, because Netlify keeps previews private', async () => {
  const findings = await lookAt('a private project that answers 401', {
    context: 'deploy-preview',
  });
  expect(findings.filter(({ result }) => result !== 'skipped')).toEqual([]);
});
