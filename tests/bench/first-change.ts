/*
 * `npm run bench -- first-change`: follows docs/first-change.md on a copy of the sources, with the tests of its step 4, `npm run check`
 * and all unit tests. Ends with 1 when a step does not give what the page says. That the page fits the sources is a unit test.
 */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  applyDiff,
  copyProject,
  invertDiff,
  isFollowed,
  outcomeIn,
  readChanges,
  subjectOf,
  type Change,
} from '#tests/documented-changes.ts';

const page = await readFile('docs/first-change.md', 'utf8');
const blocks = readChanges(page);
const isTest = ({ path }: Change): boolean => path.startsWith('tests/');
let failures = 0;
const check = (what: string, problem: string | null): void => {
  if (problem !== null) failures += 1;
  console.log(
    `${problem === null ? 'well' : 'WRONG'}  ${what}${problem === null ? '' : `\n${problem}`}`,
  );
};

/** A copy of the sources without the page's changes, which a reader who followed it has already. */
async function copyBefore(): Promise<string> {
  const copy = await copyProject([
    ...['src', 'netlify', 'supabase', 'tests', 'local', 'public', 'docs', '.ci', '.env.example'],
    ...['.github', '.gitignore', '.npmrc', '.prettierignore', '.prettierrc.json', 'LICENSE'],
    ...globSync('*.{ts,mjs,json,toml,md}'),
  ]);
  for (const { kind, path, text } of blocks) {
    const file = join(copy, path);
    if (kind === 'sql') {
      const own = globSync(`supabase/migrations/*_${subjectOf(path)}.sql`, { cwd: copy });
      for (const name of own) await rm(join(copy, name));
    } else if (kind !== 'diff') await rm(file, { force: true });
    else {
      const source = await readFile(file, 'utf8');
      await writeFile(
        file,
        isFollowed(source, text) ? applyDiff(source, invertDiff(text)) : source,
      );
    }
  }
  return copy;
}

const copy = await copyBefore();
/** Runs a program in the copy. Returns what it printed when it failed. */
const problemOf = async (...program: string[]): Promise<string | null> => {
  const outcome = await outcomeIn(copy, ...program);
  return outcome === 'passed' ? null : outcome;
};
const vitest = (...parameters: string[]): Promise<string | null> =>
  problemOf('node_modules/vitest/vitest.mjs', 'run', ...parameters);
const projects = ['--project', 'unit', '--project', 'database'];

/** Makes a change of the page; a migration by the command that the page shows, because its name has the time of now. */
async function apply({ kind, path, text }: Change): Promise<void> {
  const made = (): string =>
    execFileSync(process.execPath, ['local/migration.ts', subjectOf(path)], {
      cwd: copy,
      encoding: 'utf8',
    }).trim();
  const file = join(copy, kind === 'sql' ? made() : path);
  if (kind === 'sql') {
    const [asked = 'no line'] = /-- BY HAND: [^`]+/u.exec(page) ?? [];
    const found = await readFile(file, 'utf8');
    check('the migration asks for the constraint', found.includes(`\n${asked}\n`) ? null : found);
  }
  await writeFile(file, kind === 'diff' ? applyDiff(await readFile(file, 'utf8'), text) : text);
}

try {
  const [command = ''] = /npx vitest run .*/u.exec(page.slice(page.indexOf('## 4.'))) ?? [];
  for (const block of blocks.filter(isTest)) await apply(block);
  const before = await vitest(...projects, 'tests/unit/catalogue/closure.test.ts');
  check('its test fails before', before?.includes('1 failed') === true ? null : String(before));
  for (const block of blocks.filter((block) => !isTest(block))) await apply(block);
  check('step 4', await vitest(...projects, ...command.split(' ').slice(3)));

  // What a newcomer runs before sharing the change: the whole of `npm run check`, and the tests that read all sources.
  const changed = blocks.map(({ path }) => path).filter((path) => !path.endsWith('.sql'));
  for (const [name, ...parameters] of [
    // First, because it writes the types of the shop's texts.
    ['astro/bin/astro.mjs', 'check', '--tsconfig', 'tsconfig.astro.json'],
    ['oxlint/bin/oxlint', '--disable-nested-config', '--type-check'],
    ['knip/bin/knip.js'],
    ['prettier/bin/prettier.cjs', '--check', ...changed],
  ] as const)
    check(name, await problemOf(join('node_modules', name), ...parameters));
  check('all unit tests', await vitest('--project', 'unit'));
} finally {
  await rm(copy, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);
