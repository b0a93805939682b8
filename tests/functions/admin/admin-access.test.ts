import { readdir } from 'node:fs/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Config } from '@netlify/functions';
import { functionFiles } from '#local/emulators/netlify/functions/load-functions.ts';
import { routes } from '#core/admin/routes.ts';
import { logIn, adminPassword, setAdminPassword, type AskOptions } from './admin-client.ts';
import { useStack, type Answer } from '#tests/functions/support/stack.ts';
import { eachRow } from '#tests/each-row.ts';
import { reportFigures } from '#tests/figures.ts';

/*
 * Every endpoint of the owner × every way not to be the admin at the shop's own page. The endpoints are read from the
 * folder of functions, so that a new one is under these rules from its first day.
 */
const folder = new URL('../../../netlify/functions/', import.meta.url);
const isMethod = (name: string): boolean => ['GET', 'POST', 'PUT', 'DELETE'].includes(name);

interface Attempt {
  /** Method and path as the platform knows it, e.g. 'PUT /api/admin/products/:id'. */
  name: string;
  method: string;
  /** The path with real ids in it. */
  path: string;
}

const stack = await useStack();
await setAdminPassword();
const admin = await logIn(stack);
const productId = await stack.addProduct({ name: 'Temple ring' });
const attempts: Attempt[] = [];

/** The requests of this file that must be refused, for the bench. */
const asked = { requests: 0, 'not refused': 0, 'changes of rows': 0 };
function countRefusals(statuses: readonly number[], expected: number, unchanged: boolean): void {
  asked.requests += statuses.length;
  asked['not refused'] += statuses.filter((status) => status !== expected).length;
  asked['changes of rows'] += unchanged ? 0 : 1;
  reportFigures(13, {
    ...asked,
    'changing endpoints of the admin': attempts.filter(({ method }) => method !== 'GET').length,
  });
}

/** Each path that a pattern stands for: one for each action that it names, e.g. `/:action(login|logout)`. */
function pathsOf(pattern: string): string[] {
  const [found, actions = ''] = /:action\(([^)]*)\)/u.exec(pattern) ?? [];
  if (found === undefined) return [pattern];
  return actions.split('|').map((action) => pattern.replace(found, action.replaceAll('\\', '')));
}

/** Puts real ids in place of a pattern's parameters. */
const filled = (pattern: string, ids: Readonly<Record<string, string>>): string =>
  pattern
    .replace(':kind', 'messages')
    .replace(/:\w+/u, () => ids[pattern.split('/')[3] ?? ''] ?? 'no id for this path');

/** The requests of a function besides the one with the routes: each of its paths with each method that its answer to PATCH names. */
async function attemptsOf(file: string): Promise<Attempt[]> {
  const { config } = (await import(new URL(file, folder).href)) as { config: Config };
  const found: Attempt[] = [];
  for (const path of [config.path ?? []].flat().flatMap(pathsOf)) {
    // Whoever logs in has no session yet: it has its own tests, below and in admin-login.test.ts.
    if (path === '/api/admin/login') continue;
    const refused = await admin.ask('PATCH', path, {}, { cookie: null });
    if (refused.status !== 405) throw new Error(`${file} looks at a request before its method`);
    const methods = (refused.headers.get('allow') ?? '').split(', ');
    if (!methods.every(isMethod)) throw new Error(`${file} allows ${methods.join(', ')}`);
    found.push(...methods.map((method) => ({ name: `${method} ${path}`, method, path })));
  }
  if (found.length === 0) throw new Error(`${file} has no path`);
  return found;
}

beforeAll(async () => {
  const order = String((await stack.openOrder()).number);
  const ids = {
    products: productId,
    orders: order,
    payments: 'pay_00000000000000',
    inbox: '1',
    reviews: '1',
  };
  const files = (await functionFiles()).filter((name) => name.startsWith('admin-'));
  for (const file of files) attempts.push(...(await attemptsOf(file)));
  for (const { method, path } of routes)
    attempts.push({ name: `${method} ${path}`, method, path: filled(path, ids) });
});
beforeEach(() => stack.sql('delete from public.costs where true'));

test('a function of the admin serves /api/admin alone, and no other function serves it', async () => {
  const mixed: string[] = [];
  const found = { admin: 0, others: 0 };
  for (const file of await functionFiles()) {
    const { config } = (await import(new URL(file, folder).href)) as { config?: Config };
    const paths = [config?.path ?? []].flat().flatMap(pathsOf);
    const forAdmin = file.startsWith('admin');
    if (paths.length > 0) found[forAdmin ? 'admin' : 'others'] += 1;
    if (paths.some((path) => path.startsWith('/api/admin/') !== forAdmin)) mixed.push(file);
  }
  expect(found.admin).toBe(3);
  expect(found.others).toBeGreaterThan(15);
  expect(mixed).toEqual([]);
});

test('every route is one method of one path, and another path is answered with 404', async () => {
  const names = attempts.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(names.length).toBeGreaterThan(20);
  expect(attempts.filter(({ path }) => path.includes('no id'))).toEqual([]);
  for (const path of ['/api/admin/no-such', '/api/admin/orders/1001/no-such'])
    expect((await ask({ name: path, method: 'GET', path }, {})).status).toBe(404);
});

const ask = ({ method, path }: Attempt, options: AskOptions): Promise<Answer> =>
  admin.ask(method, path, {}, options);

async function everything(): Promise<unknown> {
  const rows = async (sql: string): Promise<unknown> => stack.sql(sql);
  return [
    await rows('select * from public.products order by id'),
    await rows('select * from public.pictures'),
    await rows('select id, revoked_at from public.admin_sessions order by id'),
    await rows('select * from public.builds'),
    await rows('select * from public.push_subscriptions'),
    await rows('select * from public.orders order by id'),
    await rows('select * from public.refunds order by id'),
    await readdir(stack.database.images, { recursive: true }).catch(() => []),
  ];
}

const strangers: Record<string, () => Promise<AskOptions>> = {
  'without a cookie': () => Promise.resolve({ cookie: null }),
  'with an empty cookie': () => Promise.resolve({ cookie: '__Host-kasavu-admin=' }),
  'with a made-up cookie': () =>
    Promise.resolve({ cookie: `__Host-kasavu-admin=${'A'.repeat(43)}` }),
  'with the token under another name': () =>
    Promise.resolve({ cookie: admin.cookie.replace('__Host-', '') }),
  'with an expired session': async () => {
    const other = await logIn(stack);
    await stack.sql(
      `update public.admin_sessions set expires_at = now() - interval '1 second' where id = (select max(id) from public.admin_sessions)`,
    );
    return { cookie: other.cookie };
  },
  'with a session that was ended': async () => {
    const other = await logIn(stack);
    await other.ask('POST', '/api/admin/logout', {});
    return { cookie: other.cookie };
  },
};

describe.each(Object.entries(strangers))('%s', (_name, stranger) => {
  test('everything is refused alike, and nothing is written', async () => {
    const options = await stranger();
    const before = await everything();
    const answers: Record<string, unknown> = {};
    const statuses: number[] = [];
    for (const one of attempts) {
      const { status, headers, json } = await ask(one, options);
      statuses.push(status);
      const { request_id: id, ...body } = json;
      answers[one.name] = { status, body, id: typeof id, cache: headers.get('cache-control') };
    }
    const after = await everything();
    countRefusals(statuses, 401, JSON.stringify(after) === JSON.stringify(before));
    // The same for every path and id: it tells nobody what there is.
    const refusal = {
      status: 401,
      body: { message: 'Please log in.', error: 'unauthorized' },
      id: 'string',
      cache: 'no-store',
    };
    expect(answers).toEqual(Object.fromEntries(attempts.map(({ name }) => [name, refusal])));
    expect(after).toEqual(before);
  });
});

const foreign: [string, AskOptions, number][] = [
  ['no Origin', { origin: null }, 403],
  ['a foreign Origin', { origin: 'https://evil.example' }, 403],
  ['the Origin null', { origin: 'null' }, 403],
  ['its own host by another scheme', { origin: 'http://kasavu.example' }, 403],
  ['its own host on another port', { origin: 'https://kasavu.example:8443' }, 403],
  ['a host that begins like its own', { origin: 'https://kasavu.example.evil.example' }, 403],
  ['a form type', { type: 'application/x-www-form-urlencoded' }, 415],
  ['a multipart type', { type: 'multipart/form-data; boundary=x' }, 415],
  ['plain text', { type: 'text/plain' }, 415],
  [
    'a type that only contains the right one',
    { type: 'text/plain; application/json; image/jpeg' },
    415,
  ],
];

describe('from the owner’s own browser, but from another page or with another type of content', () => {
  test('everything that changes something is refused, and nothing is written', () =>
    eachRow(foreign, async ([, options, status]) => {
      const before = await everything();
      // Two take a form, which opens a tab of its own; the other rows hold for them, too.
      const changing = attempts.filter(
        ({ method, name }) =>
          method !== 'GET' &&
          !(
            options.type === 'application/x-www-form-urlencoded' &&
            /\/(?:invoice|credit-note)$/u.test(name)
          ),
      );
      const statuses: Record<string, number> = {};
      for (const one of changing) statuses[one.name] = (await ask(one, options)).status;
      const after = await everything();
      countRefusals(
        Object.values(statuses),
        status,
        JSON.stringify(after) === JSON.stringify(before),
      );
      expect(statuses).toEqual(Object.fromEntries(changing.map(({ name }) => [name, status])));
      expect(after).toEqual(before);
    }));

  test('so is a login, however right the password', () =>
    eachRow(foreign, async ([, options, status]) => {
      await stack.sql('delete from public.costs where true');
      const answer = await admin.ask(
        'POST',
        '/api/admin/login',
        { password: adminPassword },
        { cookie: null, ...options },
      );
      expect(answer.status).toBe(status);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }));
});

// This test is the last: the requests that were refused above work for the admin.
test('the admin reads everything', async () => {
  const statuses: Record<string, number> = {};
  // No bill, slip, label or claim without a payment; a file is requested by its month.
  for (const one of attempts.filter(
    ({ method, name }) =>
      method === 'GET' && !/invoice|credit-note|packing-slip|labels|csv|zip|claim-file/u.test(name),
  )) {
    statuses[one.name] = (await ask(one, {})).status;
  }
  expect(Object.keys(statuses).length).toBeGreaterThan(10);
  expect(Object.entries(statuses).filter(([, status]) => status !== 200)).toEqual([]);
});
