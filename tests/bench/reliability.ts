/*
 * `npm run bench:reliability [-- --only 5,14] [-- --list]`: every check of docs/reliability.md with what it requires, what was
 * measured, and how long it took, as rows of that page's table. The exit code is 1 when one is missed.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import * as z from 'zod';
import { checks, type Check, type Command } from './reliability/checks.ts';

const root = resolve(import.meta.dirname, '../..');
const figuresSchema = z.object({ check: z.string(), figures: z.record(z.string(), z.number()) });
const number = (value: number): string =>
  value.toLocaleString('en-GB', { maximumFractionDigits: 1 });

/** Runs a command to its end. Returns null, or its output when it fails. */
async function run([program, ...parameters]: Command, figuresFile: string): Promise<string | null> {
  const PATH = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
  const env = { ...process.env, PATH, RELIABILITY_FIGURES: figuresFile, NO_COLOR: '1' };
  const shell = process.platform === 'win32';
  return promisify(execFile)(program, parameters, { cwd: root, env, shell, maxBuffer: 1e9 }).then(
    () => null,
    (error: unknown) => {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      return `${stdout}\n${stderr}\n${String(error)}`;
    },
  );
}

/** The figures in a file by their names; a later report of the same name counts. */
async function readFigures(file: string, check: string): Promise<Map<string, number>> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  const reports = lines.map((line) => figuresSchema.parse(JSON.parse(line)));
  const own = reports.filter((report) => report.check === check);
  return new Map(own.flatMap(({ figures }) => Object.entries(figures)));
}

/** True when the figure of a required limit, such as "carts ≥ 1,000", is reported and within it. */
function keeps(ask: string, figures: ReadonlyMap<string, number>): boolean {
  const [, name = '', relation, limit = ''] = /^(.+) ([=≥≤]) ([\d,]+)$/u.exec(ask) ?? [];
  const [figure, bound] = [figures.get(name) ?? Number.NaN, Number(limit.replaceAll(',', ''))];
  if (relation === '=') return figure === bound;
  return relation === '≥' ? figure >= bound : figure <= bound;
}

/** Runs the commands of a check, one after the other, and prints its row. Returns whether it is met. */
async function isMet({ id, title, asks, commands }: Check): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'reliability-'));
  const file = join(folder, 'figures');
  const began = performance.now();
  const failures: string[] = [];
  for (const command of commands) {
    const output = await run(command, file);
    if (output !== null) failures.push(`${command.join(' ')}\n${output}`);
  }
  const figures = await readFigures(file, id);
  await rm(folder, { recursive: true, force: true });
  const misses = asks.split('; ').filter((ask) => !keeps(ask, figures));
  if (failures.length > 0)
    misses.push(`${String(failures.length)} of ${String(commands.length)} commands failed`);
  const measured = [...figures].map(([name, value]) => `${name} ${number(value)}`).join('; ');
  const outcome = misses.length === 0 ? 'met' : `**missed**: ${misses.join(', ')}`;
  const seconds = number(Math.round((performance.now() - began) / 1000));
  console.log(`| ${id} | ${title} | ${asks} | ${measured} | ${outcome} | ${seconds} s |`);
  for (const failure of failures) console.error(failure);
  return misses.length === 0;
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, list: { type: 'boolean', default: false } },
});
const names = values.only?.split(',').map((name) => name.trim());
const unknown = names?.filter((name) => !checks.some(({ id }) => id === name)) ?? [];
const chosen = checks.filter(({ id }) => names === undefined || names.includes(id));

if (unknown.length > 0) {
  const known = checks.map(({ id }) => id).join(', ');
  console.error(`There is no check ${unknown.join(', ')}. There are: ${known}`);
  process.exitCode = 1;
} else if (values.list)
  for (const { id, title, asks, commands } of chosen)
    console.log([`${id}: ${title}`, asks, ...commands.map((one) => one.join(' '))].join('\n    '));
else {
  const began = performance.now();
  console.log('| check | what | asked | measured | | time |\n|---|---|---|---|---|---|');
  const missed: string[] = [];
  for (const check of chosen) if (!(await isMet(check))) missed.push(check.id);
  const minutes = number((performance.now() - began) / 60_000);
  const met = `${String(chosen.length - missed.length)} of ${String(chosen.length)} met`;
  console.log(
    `\n${met}, ${minutes} minutes${missed.length > 0 ? `; missed: ${missed.join(', ')}` : ''}`,
  );
  process.exitCode = missed.length === 0 ? 0 : 1;
}
