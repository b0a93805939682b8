/*
 * Check 25: the lines that decide a signature, an amount or an owner, and those of rules that one test alone shows, in TypeScript
 * and in SQL, are changed one thing at a time in a copy of the project, and the nearest tests must fail each time.
 * `mutations.ts money.ts cart.ts` changes these files alone. Without names, 40 changes of lines that are new since the last release
 * are tried besides, or as many as `--new 100` says; with `--new-only` these alone.
 */
import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyProject, outcomeIn } from '#tests/documented-changes.ts';
import { reportFigures } from '#tests/figures.ts';
import { projectOf } from './checks.ts';
import { mutantsOf, type Mutant } from './mutants.ts';
import { equivalent, targets } from './mutation-targets.ts';
import { findNewTargets, sample } from './new-targets.ts';
import type { Target } from './target.ts';

const root = resolve(import.meta.dirname, '../../..');

const copySources = (): Promise<string> =>
  copyProject([
    ...['src', 'netlify', 'supabase', 'tests', 'local', 'public', '.env.example'],
    ...globSync('*.{ts,mjs,json,toml}'),
  ]);

/** Whether the target's tests pass in a copy of the project. */
async function passes(copy: string, { tests, names }: Target): Promise<boolean> {
  // Far above what the tests take: a test that waits for ever is caught.
  const limits = ['--bail=1', '--testTimeout=300000', '--hookTimeout=300000'];
  const project = projectOf(tests[0] ?? '');
  const chosen = names === undefined ? [] : ['--testNamePattern', names];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...limits, '--project', project];
  return (await outcomeIn(copy, ...vitest, ...tests, ...chosen)) === 'passed';
}

/** Tries one mutant in a copy. Returns whether the tests caught it. */
async function isCaught(copy: string, target: Target, { file, text }: Mutant): Promise<boolean> {
  const path = join(copy, file);
  const original = await readFile(path, 'utf8');
  await writeFile(path, text);
  try {
    return !(await passes(copy, target));
  } finally {
    await writeFile(path, original);
  }
}

const { values, positionals: only } = parseArgs({
  options: {
    new: { type: 'string', default: '40' },
    'new-only': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

type Try = readonly [Target, Mutant];

/** What can be changed on the lines of a target, but for what changes nothing. */
async function triesOf(target: Target): Promise<Try[]> {
  const text = await readFile(join(root, target.file), 'utf8');
  const isEquivalent = ({ file, from, to }: Mutant): boolean =>
    equivalent.some((known) => known.file === file && known.from === from && known.to === to);
  return mutantsOf(target, text)
    .filter((mutant) => !isEquivalent(mutant))
    .map((mutant) => [target, mutant] as const);
}

const queue: Try[] = [];
/** The mutants of lines that are new since the last release. Their tests were found by imports and calls, so a survivor asks for a look. */
const fresh = new Set<Mutant>();
for (const target of values['new-only'] ? [] : targets) {
  if (only.length > 0 && !only.some((name) => target.file.endsWith(name))) continue;
  const tries = await triesOf(target);
  if (tries.length === 0)
    throw new Error(`No line of ${target.file} matches ${String(target.lines)}`);
  queue.push(...tries);
}
if (only.length === 0) {
  const found = await findNewTargets();
  const tries = (await Promise.all(found.targets.map(triesOf))).flat();
  const chosen = sample(tries, Number(values.new));
  console.log(
    `Since ${found.since}: ${String(chosen.length)} of ${String(tries.length)} changes on new lines are tried. No quick test is near ${String(found.untested.length)} files and functions${found.untested.length === 0 ? '' : `: ${found.untested.join(', ')}`}.`,
  );
  for (const [, mutant] of chosen) fresh.add(mutant);
  queue.push(...chosen);
}
const chosen = [...new Set(queue.map(([target]) => target))];
const count = queue.length - fresh.size;
const survivors: Mutant[] = [];

/** Takes mutants from the queue until it is empty. */
async function work(): Promise<void> {
  const copy = await copySources();
  try {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [target, mutant] = next;
      if (await isCaught(copy, target, mutant)) continue;
      survivors.push(mutant);
      console.error(
        `survived${fresh.has(mutant) ? ', on a new line' : ''}: ${mutant.file}:${String(mutant.line)} ${mutant.from} → ${mutant.to}`,
      );
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

// Unchanged, they pass: otherwise every mutant would seem caught.
const unchanged = await copySources();
for (const target of chosen) {
  if (await passes(unchanged, target)) continue;
  if (targets.includes(target))
    throw new Error(`The tests of ${target.file} fail without a mutant`);
  // They were not chosen by a person, and may want what a copy has not, such as the history.
  console.log(`Not tried, because its tests fail in a copy: ${target.within ?? target.file}`);
  for (const [other, mutant] of queue) if (other === target) fresh.delete(mutant);
  queue.splice(0, Infinity, ...queue.filter(([other]) => other !== target));
}
await rm(unchanged, { recursive: true, force: true });
await Promise.all([work(), work()]);
const old = survivors.filter((mutant) => !fresh.has(mutant)).length;
reportFigures(25, {
  mutants: count,
  'killed in %': count === 0 ? 100 : Math.round(((count - old) / count) * 1_000) / 10,
  survivors: old,
  'new lines tried': fresh.size,
  'survivors on new lines': survivors.length - old,
});
