/*
 * Check 25: the lines that decide a signature, an amount or an owner, in TypeScript and in SQL, are changed one thing at a
 * time in a copy of the project, and the nearest tests must fail each time. `mutations.ts signature` or `mutations.ts money.ts`
 * changes one kind, or one file, alone.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { reportFigures } from '../../figures.ts';
import { mutantsOf, type Mutant } from './mutants.ts';
import { equivalent, targets, type Target } from './mutation-targets.ts';

const root = resolve(import.meta.dirname, '../../..');
/** Far above what the tests take: a mutant that never ends is caught. */
const limitMs = 300_000;

/** A copy of the project's files, with its packages. */
async function copyProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'mutants-'));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n');
  for (const file of files.filter((name) => name !== ''))
    await cp(join(root, file), join(copy, file));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Whether the target's tests pass in a copy of the project. */
async function passes(copy: string, { project, tests, names }: Target): Promise<boolean> {
  const parameters = [
    'run',
    '--bail',
    '1',
    '--testTimeout',
    String(limitMs),
    '--hookTimeout',
    String(limitMs),
    '--project',
    project,
    ...tests,
    ...(names === undefined ? [] : ['--testNamePattern', names]),
  ];
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), ...parameters],
    {
      cwd: copy,
      stdio: 'ignore',
      timeout: limitMs,
      env: { ...process.env, RELIABILITY_FIGURES: undefined },
    },
  );
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
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

const only = process.argv[2];
const chosen = targets.filter(
  ({ what, file }) => only === undefined || what === only || file.endsWith(only),
);
const queue: (readonly [Target, Mutant])[] = [];
for (const target of chosen) {
  const mutants = mutantsOf(
    target.file,
    await readFile(join(root, target.file), 'utf8'),
    target.lines,
  );
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
  const copy = await copyProject();
  try {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [target, mutant] = next;
      if (await isCaught(copy, target, mutant)) continue;
      survivors.push(
        `${target.what} survived: ${mutant.file}:${String(mutant.line)} ${mutant.from} → ${mutant.to}`,
      );
      console.error(survivors.at(-1));
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

// Unchanged, they pass: otherwise every mutant would seem caught.
const unchanged = await copyProject();
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
