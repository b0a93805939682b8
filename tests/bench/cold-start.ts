/*
 * `npm run bench -- cold-start [--runs N]`: each function bundled as a deploy does it, its bundle loaded and called once in a new
 * process of Netlify's runtime, with a method that it refuses, so that no database is waited for. Beside it what the same
 * process takes to start with nothing in it. Median of the runs, in milliseconds of this machine.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  bundleFunctions,
  invokeBundles,
  type FunctionBundle,
} from '#tests/functions/platform/bundle-functions.ts';
import { median } from './support/embedded-stack.ts';

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
/** A deploy of a preview: functions that are called for it read it and do nothing. */
const deploy = {
  site: { id: 'site-1' },
  payload: {
    id: 'preview-1',
    state: 'ready',
    context: 'deploy-preview',
    created_at: '2026-01-01T00:00:00Z',
  },
};

/** The time from the first byte of a bundle to the answer of its first request. */
async function firstAnswer({ name, entry, events }: FunctionBundle, dir: string): Promise<number> {
  const [event] = events;
  const json = { 'x-netlify-event': event ?? '', 'content-type': 'application/json' };
  const call =
    event === undefined
      ? { method: 'PATCH', headers: {} }
      : { method: 'POST', headers: json, body: JSON.stringify(deploy) };
  const [result] = await invokeBundles([{ name, entry, path: '/', ...call }], dir, {});
  if (!result || !('milliseconds' in result))
    throw new Error(`${name}: ${result && 'error' in result ? result.error : 'no answer'}`);
  return result.milliseconds;
}

const dir = await realpath(await mkdtemp(join(tmpdir(), 'bench-cold-start-')));
try {
  const began = performance.now();
  await invokeBundles([], dir, {});
  console.log(`An empty process: ${(performance.now() - began).toFixed(0)} ms\n`);
  console.log('| function | MB unpacked | first answer ms |\n|---|---|---|');
  for (const bundle of await bundleFunctions(dir)) {
    const times: number[] = [];
    for (let run = 0; run < Number(options.runs); run += 1)
      times.push(await firstAnswer(bundle, dir));
    const megabytes = (bundle.bytes / 1_048_576).toFixed(1);
    console.log(`| ${bundle.name} | ${megabytes} | ${median(times).toFixed(0)} |`);
  }
} finally {
  await rm(dir, { recursive: true, force: true });
}
