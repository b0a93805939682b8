import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { functionEnvironment } from '#local/stack/environment.ts';
import { bundleFunctions, invokeBundles } from '#tests/functions/platform/bundle-functions.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { connectionTrips, type Use } from './credits.ts';
import type { EmbeddedStack } from './embedded-stack.ts';
import { sendByFetch, type Send, type Sent } from './purchase.ts';

/** A call of a function, and those that it made to others; `site` are those that Netlify counts as requests. */
export interface Run {
  name: string;
  database: number;
  razorpay: number;
  site: number;
  /** Others, such as the build hook. */
  others: number;
  ms: number;
}

export interface MeasuredFunctions {
  /** Sends a request as `sendByFetch` does, but lets the bundle of a function answer, measured under the function's name. */
  send: Send;
  /** Calls a function that has no address of its own. */
  call: (name: string, sent: Sent) => Promise<string>;
  /** The calls measured since the last time. */
  take: () => Run[];
  /** Ms of each round trip from now on. */
  setDelay: (ms: number) => void;
  close: () => Promise<void>;
}

/**
 * The shop's functions, bundled as a deploy does it, each call in a new process: the embedded stack behind counting proxies is
 * their database, their Razorpay and their site.
 */
export async function measureFunctions(stack: EmbeddedStack): Promise<MeasuredFunctions> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'bench-credits-')));
  const bundles = await bundleFunctions(dir);
  const [database, razorpay, site] = await Promise.all([
    startCountingProxy(stack.origin),
    startCountingProxy(new URL(stack.payments).origin),
    startCountingProxy(stack.origin),
  ]);
  const secrets = JSON.parse(await readFile(join(stack.dataDir, 'secrets.json'), 'utf8')) as never;
  const running = JSON.parse(await readFile(join(stack.dataDir, 'running.json'), 'utf8')) as object;
  const { smtpPort } = z.looseObject({ smtpPort: z.int() }).parse(running);
  const addresses = { origin: site.url, sandboxOrigin: razorpay.url, supabaseUrl: database.url };
  const env = {
    ...functionEnvironment({ ...addresses, turnstile: false, checkout: 'open' }, secrets, smtpPort),
    // Takes the request and builds nothing, which would slow down what is measured next.
    BUILD_HOOK_URL: `${site.url}/local/cdn/api/v1/purge`,
  };
  let taken: Run[] = [];

  async function invoke(
    { name, entry, routes }: (typeof bundles)[number],
    path: string,
    { method = 'GET', headers = {}, body }: Sent,
  ): Promise<{ status: number; text: string }> {
    for (const { requests } of [database, razorpay, site]) requests.length = 0;
    const { pathname } = new URL(path, stack.origin);
    const route = routes.find(({ fits }) => fits(pathname))?.pattern;
    const request = {
      method,
      path,
      headers,
      ...(route === undefined ? {} : { route }),
      ...(body === undefined ? {} : { body }),
    };
    const [result] = await invokeBundles([{ name, entry, ...request }], dir, env);
    if (!result || 'error' in result) throw new Error(`${name}: ${result?.error ?? 'no answer'}`);
    const isLocal = ({ path: called }: { path: string }): boolean => called.startsWith('/local/');
    const others = site.requests.filter(isLocal).length;
    taken.push({
      name,
      database: database.requests.length,
      razorpay: razorpay.requests.length,
      site: site.requests.length - others,
      others,
      ms: result.milliseconds,
    });
    return { status: result.status, text: result.body };
  }

  return {
    async send(url, init = {}) {
      const { pathname, search } = new URL(url);
      const bundle = bundles.find(({ routes }) => routes.some((route) => route.fits(pathname)));
      return bundle ? invoke(bundle, pathname + search, init) : sendByFetch(url, init);
    },
    async call(name, sent) {
      const bundle = bundles.find((one) => one.name === name);
      if (!bundle) throw new Error(`There is no function ${name}`);
      const { status, text } = await invoke(bundle, `/.netlify/functions/${name}`, sent);
      if (status >= 400) throw new Error(`${name} answered ${String(status)}: ${text}`);
      return text;
    },
    take() {
      const all = taken;
      taken = [];
      return all;
    },
    setDelay(ms) {
      database.delay = razorpay.delay = site.delay = ms;
    },
    async close() {
      for (const proxy of [database, razorpay, site]) proxy.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The shorter one of two runs of the same. Throws when they made other calls. */
export function leastOf(one: Run, other: Run | undefined): Run {
  const calls = ({ name, database, razorpay, site, others }: Run): string =>
    JSON.stringify({ name, database, razorpay, site, others });
  if (!other || calls(one) !== calls(other))
    throw new Error(`A run took another way: ${calls(one)}, ${other ? calls(other) : 'none'}`);
  return other.ms < one.ms ? other : one;
}

/** A function's own time in seconds, and how many calls it makes in a row. */
export interface Cost extends Run {
  own: number;
  inRow: number;
}

/** What two runs of the same cost, one with a round trip of no time and one with `delay` ms. */
export const costOf = (near: Run, far: Run, delay: number): Cost => ({
  ...near,
  own: near.ms / 1000,
  inRow: Math.max(0, Math.round((far.ms - near.ms) / delay)),
});

/** What a run of a function uses with such a round trip in seconds: the request that starts it, and those that it makes. */
export const useOf = (
  { own, inRow, site }: Cost,
  roundTrip: number,
): Required<Pick<Use, 'seconds' | 'requests'>> => ({
  seconds: own + roundTrip * (inRow === 0 ? 0 : inRow + connectionTrips),
  requests: 1 + site,
});
