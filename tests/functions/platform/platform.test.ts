import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionFiles } from '#local/emulators/netlify/functions/load-functions.ts';
import { build } from 'vite';
import * as z from 'zod';
import {
  bundleFunctions,
  invokeBundles,
  projectRoot,
  type FunctionBundle,
} from './bundle-functions.ts';
import type { Invocation, InvocationResult } from './lambda-process.ts';

/*
 * The shop's functions as Netlify deploys them: bundled by its bundler, started by its bootstrap. The embedded stack
 * imports the sources; that nothing is lost on the way from the one to the other is proven here.
 */
const megabyte = 1_000_000;
/** Netlify takes 50 MB zipped and 250 MB unpacked; what stays below the first one unpacked stays below both. */
const limits = { plain: 10.5 * megabyte, withSharp: 31 * megabyte };
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;
/** Addresses where nobody listens: a function may be called, and what it needs stays silent. */
const environment = {
  URL: 'http://127.0.0.1:1',
  SUPABASE_URL: 'http://127.0.0.1:1',
  SUPABASE_SECRET_KEY: 'none',
};

let dir: string;
let bundles: FunctionBundle[];
/** The results by the function's name, or by `name: event`. */
let results: Map<string, InvocationResult>;

/** A request for a function, or each event that it is called for. */
function invocationsOf({ name, entry, events, routes }: FunctionBundle): Invocation[] {
  // Most refuse this method; the others answer that nothing could be done, or that nothing is there.
  if (events.length === 0) {
    // A function of several paths knows no other.
    const path = routes.map(({ pattern }) => pattern).find((one) => !/[:*]/u.test(one)) ?? '/';
    return [{ name, entry, method: 'PATCH', path, headers: {} }];
  }
  // A preview is not the shop's deploy: it is read, and let go.
  const payload = {
    id: 'preview-1',
    state: 'ready',
    context: 'deploy-preview',
    created_at: '2026-01-01T00:00:00Z',
  };
  const body = JSON.stringify({ site: { id: 'site-1' }, payload });
  return events.map((event) => ({
    name: `${name}: ${event}`,
    entry,
    method: 'POST',
    path: '/',
    headers: { 'x-netlify-event': event, 'content-type': 'application/json' },
    body,
  }));
}

/** Paths of functions that answer several, with the methods that each takes. */
const actions: Readonly<Record<string, string>> = {
  '/api/admin/session': 'GET',
  '/api/admin/login': 'POST',
  '/api/notice': 'GET',
  '/api/admin/notice': 'GET, PUT, DELETE',
  '/api/sign-up-refused': 'POST',
  '/api/page-fault': 'POST',
  '/api/send-email': 'POST',
  '/api/stock-alert': 'POST',
  '/api/admin/stock-alert': 'GET, DELETE',
  '/api/discount': 'POST',
  '/api/admin/discount': 'GET, POST, PUT',
  '/api/admin/orders': 'GET, POST',
  '/api/admin/orders/7': 'GET',
  '/api/admin/orders/7/refund': 'POST',
  '/api/admin/orders/7/invoice/': 'GET, POST',
  '/api/admin/inbox': 'GET',
  '/api/admin/inbox/forms/7': 'POST',
  '/api/admin/products': 'GET, POST',
  '/api/admin/products/7': 'GET, PUT, DELETE',
};
const notThere = ['/api/admin', '/api/discountx', '/api/orders/7/no-such'];

/** The functions at this path, by their announced routes. */
const functionsAt = (path: string) =>
  bundles.flatMap(({ entry, routes }) =>
    routes.filter(({ fits }) => fits(path)).map(({ pattern }) => ({ entry, pattern })),
  );

/** A method that is refused with those which the path takes. */
const refusalAt = (path: string): Invocation[] =>
  functionsAt(path).map(({ entry, pattern }) => ({
    name: path,
    entry,
    method: 'PATCH',
    path,
    route: pattern,
    headers: {},
  }));

beforeAll(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'platform-test-')));
  bundles = await bundleFunctions(dir);
  const called = await invokeBundles(
    [...bundles.flatMap(invocationsOf), ...Object.keys(actions).flatMap(refusalAt)],
    dir,
    environment,
  );
  results = new Map(called.map((result) => [result.name, result]));
  // About 22 s of CPU for all functions; this file shares the machine with others.
}, 180_000);
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

async function listSources(folder: string): Promise<string[]> {
  return (await readdir(join(projectRoot, folder))).map((file) => parse(file).name).sort();
}

test('every function in the folder becomes a bundle', async () => {
  const names = (await functionFiles()).map((file) => parse(file).name).sort();
  expect(names.length).toBeGreaterThan(0);
  expect(bundles.map(({ name }) => name).sort()).toEqual(names);
});

test('every bundle keeps to its budget, far below what the platform takes', () => {
  const sizes = bundles.map(({ name, inputs, bytes }) => {
    const limit = inputs.some((path) => path.startsWith('node_modules/sharp/'))
      ? limits.withSharp
      : limits.plain;
    return { name, megabytes: bytes / megabyte, limit: limit / megabyte };
  });
  expect(sizes.filter(({ megabytes, limit }) => megabytes > limit)).toEqual([]);
});

test('a bundle holds functions, features, core, domain and packages of production, and nothing else', async () => {
  const lockSchema = z.object({
    packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })),
  });
  const { packages } = lockSchema.parse(
    JSON.parse(await readFile(join(projectRoot, 'package-lock.json'), 'utf8')),
  );
  const belongs = (path: string): boolean => {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(path)?.[0];
    if (folder !== undefined)
      return packages[folder] !== undefined && packages[folder].dev !== true;
    // `hsn.ts` is a rule of its own; the rest of the schema would bring all of zod into the functions.
    return /^(?:netlify\/(?:functions|features|places|core)\/|src\/(?:domain|features\/[a-z-]+\/domain)\/|src\/shop-schema\/hsn\.ts$|src\/(?:settings|shop(?:\/texts)?)\/[a-z-]+\.ts$|tailwind\.config\.mjs$|package\.json$)/u.test(
      path,
    );
  };
  const strangers = bundles.flatMap(({ name, inputs }) =>
    inputs.filter((path) => !belongs(path)).map((path) => `${name}: ${path}`),
  );
  expect(strangers).toEqual([]);
  // Without these the list of inputs would say nothing.
  const all = new Set(bundles.flatMap(({ inputs }) => inputs));
  expect([...all]).toEqual(
    expect.arrayContaining([
      'netlify/core/platform/http/http.ts',
      'src/settings/shop.ts',
      'node_modules/sharp/package.json',
    ]),
  );
});

// They share one process, for speed: what one leaves in its globals, the next ones find.
test('every bundle that is called for a request answers in the runtime of Netlify with a request id of the shop', () => {
  const silent = bundles.flatMap(({ name, events }) => {
    if (events.length > 0) return [];
    const result = results.get(name);
    const answers =
      result &&
      'status' in result &&
      result.status < 500 &&
      uuid.test(result.headers['x-request-id']?.[0] ?? '');
    return answers ? [] : [result ?? { name, error: 'no answer' }];
  });
  expect(silent).toEqual([]);
});

test('the platform passes the requested path to a function of several', () => {
  const paths = Object.keys(actions);
  expect(paths.map((path) => [path, functionsAt(path).length])).toEqual(
    paths.map((path) => [path, 1]),
  );
  expect(notThere.flatMap(functionsAt)).toEqual([]);
  const taken = paths.map((path) => {
    const result = results.get(path);
    return [path, result && 'headers' in result ? result.headers['allow']?.[0] : result];
  });
  expect(Object.fromEntries(taken)).toEqual(actions);
});

test('every bundle that is called for events of the platform takes each of them', () => {
  const events = bundles.flatMap((bundle) =>
    bundle.events.map((event) => `${bundle.name}: ${event}`),
  );
  expect(events.length).toBeGreaterThan(0);
  const refused = events.flatMap((name) => {
    const result = results.get(name) ?? { name, error: 'no answer' };
    return 'status' in result && result.status === 200 ? [] : [result];
  });
  expect(refused).toEqual([]);
});

/*
 * Netlify bundles edge functions with Deno, which npm does not have. A file that imports nothing needs no bundler: what
 * is left to break is its syntax, its exports and its use of what Deno has not.
 */
test('every edge function imports nothing, names its path and lets other requests pass', async () => {
  const names = await listSources('netlify/edge-functions');
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const entry = join(projectRoot, 'netlify/edge-functions', `${name}.ts`);
    const built = await build({
      configFile: false,
      logLevel: 'error',
      build: { ssr: entry, write: false, minify: false },
    });
    const [chunk, ...others] = 'output' in built ? built.output : [];
    if (chunk?.type !== 'chunk') throw new Error(`${name} was not built`);
    expect({ name, others, imports: chunk.imports, dynamic: chunk.dynamicImports }).toEqual({
      name,
      others: [],
      imports: [],
      dynamic: [],
    });
    const loaded = (await import(`data:text/javascript,${encodeURIComponent(chunk.code)}`)) as {
      default: (request: Request) => Promise<Response | undefined>;
      config: { path: string | string[] };
    };
    for (const path of [loaded.config.path].flat()) expect(path).toMatch(/^\//u);
    expect(await loaded.default(new Request('https://kasavu.example/'))).toBeUndefined();
  }
});
