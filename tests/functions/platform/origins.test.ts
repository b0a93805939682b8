import { readdir } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import type { Config } from '@netlify/functions';
import { reportFigures } from '../../figures.ts';
import { useStack, type Endpoint } from '../support/stack.ts';

/*
 * Every request that may change something × pages that are not the shop's. The endpoints are read from the folder of
 * functions, so that a new one is under this rule from its first day.
 */
const folder = new URL('../../../netlify/functions/', import.meta.url);

/** Razorpay's servers, and the form that its page posts through the customer's browser: signatures prove both. */
const provider = [
  'POST /api/payment/callback',
  'POST /api/payment/webhook',
  'POST /api/send-email',
];
/** Where no program may ask either. */
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

/** Every address of a path: `/:id/:action(cancel|refund)` is `/1/cancel` and `/1/refund`. */
function addressesOf(path: string): string[] {
  const [whole, choices] = /:\w+\(([^)]+)\)/u.exec(path) ?? [];
  if (whole === undefined || choices === undefined) return [path.replaceAll(/:\w+/gu, '1')];
  return choices.split('|').flatMap((choice) => addressesOf(path.replace(whole, choice)));
}

async function changesOf(file: string): Promise<Change[]> {
  const { default: endpoint, config } = (await import(new URL(file, folder).href)) as {
    default: unknown;
    config?: Config;
  };
  // Functions that take events of the platform are no endpoints.
  if (typeof endpoint !== 'function') return [];
  const call = endpoint as Endpoint;
  const paths = [config?.path ?? `/.netlify/functions/${file.replace('.ts', '')}`]
    .flat()
    .flatMap(addressesOf);
  const found: Change[] = [];
  for (const path of paths) {
    const { status, headers } = await stack.call(call, path, { method: 'PATCH' });
    const methods =
      status === 405 ? (headers.get('allow') ?? '').split(', ') : ['POST', 'PUT', 'DELETE'];
    found.push(
      ...methods
        .filter((method) => method !== 'GET' && method !== 'HEAD')
        .map((method) => ({ name: `${method} ${path}`, method, endpoint: call, path })),
    );
  }
  return found;
}

beforeAll(async () => {
  for (const file of (await readdir(folder)).sort()) changes.push(...(await changesOf(file)));
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
