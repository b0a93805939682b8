/*
 * `npm run bench -- cold-start [--runs N]`: each function bundled as a deploy does it, its bundle read and asked once in a new
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
} from '../functions/platform/bundle-functions.ts';

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const limitMs = 300;

/** From the first byte of a bundle to the answer of its first request. */
async function firstAnswer({ name, entry, events }: FunctionBundle, dir: string): Promise<number> {
  // A deploy of a preview: the function reads it and lets it go.
  const body = JSON.stringify({
    site: { id: 'site-1' },
    payload: {
      id: 'preview-1',
      state: 'ready',
      context: 'deploy-preview',
      created_at: '2026-01-01T00:00:00Z',
    },
  });
  const [event] = events;
  const call =
    event === undefined
      ? { method: 'PATCH', headers: {} }
      : {
          method: 'POST',
          headers: { 'x-netlify-event': event, 'content-type': 'application/json' },
          body,
        };
  const [result] = await invokeBundles([{ name, entry, path: '/', ...call }], dir, {});
  if (!result || !('milliseconds' in result))
    throw new Error(`${name}: ${result && 'error' in result ? result.error : 'no answer'}`);
  return result.milliseconds;
}

const dir = await realpath(await mkdtemp(join(tmpdir(), 'bench-cold-start-')));
try {
  const bundles = await bundleFunctions(dir);
  const startProcess = async (): Promise<number> => {
    const start = performance.now();
    await invokeBundles([], dir, {});
    return performance.now() - start;
  };
  const empty: number[] = [];
  const rows: { name: string; megabytes: string; milliseconds: number }[] = [];
  for (const bundle of bundles) {
    const times: number[] = [];
    for (let run = 0; run < Number(options.runs); run += 1) {
      empty.push(await startProcess());
      times.push(await firstAnswer(bundle, dir));
    }
    rows.push({
      name: bundle.name,
      megabytes: (bundle.bytes / 1_048_576).toFixed(1),
      milliseconds: Math.round(median(times)),
    });
  }
  console.log(
    `An empty process: ${median(empty).toFixed(0)} ms\n\n| function | MB unpacked | first answer ms |\n|---|---|---|`,
  );
  for (const { name, megabytes, milliseconds } of rows.toSorted(
    (a, b) => b.milliseconds - a.milliseconds,
  ))
    console.log(`| ${name} | ${megabytes} | ${String(milliseconds)} |`);
  const slow = rows.filter(({ milliseconds }) => milliseconds > limitMs).length;
  console.log(`\n${String(slow)} of ${String(rows.length)} above ${String(limitMs)} ms`);
  process.exitCode = slow > 0 ? 1 : 0;
} finally {
  await rm(dir, { recursive: true, force: true });
}
