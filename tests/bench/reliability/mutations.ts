/*
 * Check 25: the lines that decide a signature, an amount or an owner, and those of rules that one test alone shows, in TypeScript
 * and in SQL, are changed one thing at a time in a copy of the project, and the nearest tests must fail each time.
 * `mutations.ts money.ts cart.ts` changes these files alone.
 */
import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyProject, outcomeIn } from '#tests/documented-changes.ts';
import { reportFigures } from '#tests/figures.ts';
import { projectOf } from './checks.ts';
import { mutantsOf, type Mutant } from './mutants.ts';
import { equivalent, targets } from './mutation-targets.ts';
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

const only = process.argv.slice(2);
const chosen = targets.filter(
  ({ file }) => only.length === 0 || only.some((name) => file.endsWith(name)),
);
const queue: (readonly [Target, Mutant])[] = [];
for (const target of chosen) {
  const text = await readFile(join(root, target.file), 'utf8');
  const mutants = mutantsOf(target.file, text, target.lines);
  if (mutants.length === 0)
    throw new Error(`No line of ${target.file} matches ${String(target.lines)}`);
  const isEquivalent = ({ file, from, to }: Mutant): boolean =>
    equivalent.some((known) => known.file === file && known.from === from && known.to === to);
  queue.push(
    ...mutants.filter((mutant) => !isEquivalent(mutant)).map((mutant) => [target, mutant] as const),
  );
}
const count = queue.length;
const survivors: string[] = [];

/** Takes mutants from the queue until it is empty. */
async function work(): Promise<void> {
  const copy = await copySources();
  try {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [target, mutant] = next;
      if (await isCaught(copy, target, mutant)) continue;
      survivors.push(
        `survived: ${mutant.file}:${String(mutant.line)} ${mutant.from} → ${mutant.to}`,
      );
      console.error(survivors.at(-1));
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

// Unchanged, they pass: otherwise every mutant would seem caught.
const unchanged = await copySources();
for (const target of chosen)
  if (!(await passes(unchanged, target)))
    throw new Error(`The tests of ${target.file} fail without a mutant`);
await rm(unchanged, { recursive: true, force: true });
await Promise.all([work(), work()]);
reportFigures(25, {
  mutants: count,
  'killed in %': Math.round(((count - survivors.length) / count) * 1_000) / 10,
  survivors: survivors.length,
});
