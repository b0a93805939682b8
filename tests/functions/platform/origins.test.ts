import { beforeAll, expect, test } from 'vitest';
import { reportFigures } from '#tests/figures.ts';
import { everyAddress } from '#tests/functions/support/functions.ts';
import { useStack, type Endpoint } from '#tests/functions/support/stack.ts';

/*
 * Every request that may change something × pages that are not the shop's. The endpoints are read from the folder of
 * functions, so that a new one is under this rule from its first day.
 */
/** Razorpay's servers, and the form that its page posts through the customer's browser: signatures prove both. */
const provider = [
  'POST /api/payment/callback',
  'POST /api/payment/webhook',
  'POST /api/send-email',
];
/** The paths that no program may request either. */
const strict = ['POST /api/admin/login'];

interface Change {
  /** E.g. 'POST /api/contact'. */
  name: string;
  method: string;
  endpoint: Endpoint;
  path: string;
}

const stack = await useStack();
const changes: Change[] = [];

beforeAll(async () => {
  for (const { endpoint, path } of await everyAddress()) {
    const { status, headers } = await stack.call(endpoint, path, { method: 'PATCH' });
    const methods =
      status === 405 ? (headers.get('allow') ?? '').split(', ') : ['POST', 'PUT', 'DELETE'];
    changes.push(
      ...methods
        .filter((method) => method !== 'GET' && method !== 'HEAD')
        .map((method) => ({ name: `${method} ${path}`, method, endpoint, path })),
    );
  }
});

/** The names of the changes that are refused as another site's. */
async function refused(headers: Readonly<Record<string, string>>): Promise<string[]> {
  const names: string[] = [];
  for (const { name, method, endpoint, path } of changes) {
    const { status, json } = await stack.call(endpoint, path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });
    if (status === 403 && json['error'] === 'forbidden_origin') names.push(name);
  }
  return names;
}

test('the endpoints are found', () => {
  expect(changes.length).toBeGreaterThan(20);
  expect(changes.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      ...provider,
      ...strict,
      'POST /api/contact',
      'POST /.netlify/functions/payment-sweep',
    ]),
  );
});

test('a page of another site changes nothing, whichever way it says where it comes from', async () => {
  const all = changes.map(({ name }) => name).filter((name) => !provider.includes(name));
  const names: string[][] = [];
  for (const origin of [
    'https://evil.example',
    'null',
    'http://kasavu.example',
    'https://kasavu.example.evil.example',
  ])
    names.push(await refused({ origin }));
  const taken = names.reduce((sum, { length }) => sum + all.length - length, 0);
  reportFigures(13, { 'changing endpoints of all': all.length, 'foreign Origins taken': taken });
  expect(names).toEqual(names.map(() => all));
});

test('the shop’s own page needs nothing more, and a program without an origin only at the login', async () => {
  expect(await refused({ origin: 'https://kasavu.example' })).toEqual([]);
  expect(await refused({})).toEqual(strict);
  expect(await refused({ 'sec-fetch-site': 'same-origin' })).toEqual(strict);
});

test("only the scheduler's POST runs the sweep; opening the address does nothing", async () => {
  const sweep = changes.find(({ name }) => name === 'POST /.netlify/functions/payment-sweep');
  if (!sweep) throw new Error('There is no sweep');
  stack.razorpay.calls.length = 0;
  const opened = await stack.call(sweep.endpoint, sweep.path);
  expect([opened.status, opened.headers.get('allow')]).toEqual([405, 'POST']);
  expect(stack.razorpay.calls).toEqual([]);
});
