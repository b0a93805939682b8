import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import * as z from 'zod';
import type { Check, Command } from './checks.ts';

const root = resolve(import.meta.dirname, '../../..');
const figuresSchema = z.object({ check: z.string(), figures: z.record(z.string(), z.number()) });

/** How a check went. */
export interface Result {
  check: Check;
  /** The measured figures by name; a later report of the same name counts. */
  figures: ReadonlyMap<string, number>;
  /** Why it is missed; empty when it is met. */
  misses: readonly string[];
  seconds: number;
  /** The output of the commands when it is missed. */
  output: string;
}

/** Runs a command to its end; its output, and whether it said that all went well. */
async function run(
  [program, ...parameters]: Command,
  figuresFile: string,
): Promise<{ passed: boolean; output: string }> {
  const PATH = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
  const child = spawn(program, parameters, {
    cwd: root,
    env: { ...process.env, PATH, RELIABILITY_FIGURES: figuresFile, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return {
    passed: code === 0,
    output: `${Buffer.concat(output).toString()}\nended with ${signal ?? `code ${String(code)}`}`,
  };
}

/** True when the figure of an asked limit, such as "carts ≥ 1,000", is reported and within it. */
function keeps(ask: string, figures: ReadonlyMap<string, number>): boolean {
  const [, name = '', relation, limit = ''] = /^(.+) ([=≥≤]) ([\d,]+)$/u.exec(ask) ?? [];
  const [figure, bound] = [figures.get(name) ?? Number.NaN, Number(limit.replaceAll(',', ''))];
  if (relation === '=') return figure === bound;
  return relation === '≥' ? figure >= bound : figure <= bound;
}

/** Runs the commands of a check, one after the other, and holds what they report against what is asked. */
export async function runCheck(check: Check): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'reliability-'));
  const file = join(folder, 'figures');
  const began = performance.now();
  const outputs: string[] = [];
  let failed = 0;
  const figures = new Map<string, number>();
  try {
    for (const command of check.commands) {
      const { passed, output } = await run(command, file);
      if (!passed) failed += 1;
      outputs.push(`${command.join(' ')}\n${output}`);
    }
    const lines = (await readFile(file, 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line !== '');
    for (const reported of lines.map((line) => figuresSchema.parse(JSON.parse(line)))) {
      if (reported.check === check.id)
        for (const [name, value] of Object.entries(reported.figures)) figures.set(name, value);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const misses = check.asks.filter((ask) => !keeps(ask, figures));
  if (failed > 0)
    misses.push(`${String(failed)} of ${String(check.commands.length)} commands failed`);
  return {
    check,
    figures,
    misses,
    seconds: (performance.now() - began) / 1000,
    output: misses.length > 0 ? outputs.join('\n') : '',
  };
}
