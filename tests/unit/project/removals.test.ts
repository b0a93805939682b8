import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDiff, copyProject, outcomeIn, readChanges } from '../../documented-changes.ts';
import { measureFeatures } from '../../features/count-lines.ts';
import { readFeatures, readPage } from '../../features/read-features.ts';
import { times } from '../../soak.ts';

/*
 * Features whose removal docs/features.md shows line by line are taken out of a copy of the sources: all from one copy, so
 * that the slow checks run once.
 */
const page = readPage();
const { facts } = measureFeatures(readFeatures(page));
const removals = page
  .split(/^### /mu)
  .map((section) => ({
    name: section.slice(0, section.indexOf('\n')),
    changes: readChanges(section),
  }))
  .filter(({ changes }) => changes.length > 0);
const names = removals.map(({ name }) => `"${name}"`).join(' and ');

const knip = 'node_modules/knip/bin/knip.js';
let copy = '';
beforeAll(async () => {
  copy = await copyProject([
    'src',
    'netlify',
    'supabase',
    'tests',
    'local',
    'public',
    'package.json',
    'netlify.toml',
    '.prettierrc.json',
    '.prettierignore',
    '.gitignore',
    ...globSync(['*.ts', '*.mjs', 'tsconfig*.json']),
  ]);
});
afterAll(() => rm(copy, { recursive: true, force: true }));

async function takeOut(): Promise<void> {
  expect(removals.length).toBeGreaterThan(0);
  for (const { name, changes } of removals) {
    const files = facts.find((feature) => feature.name === name)?.files ?? [];
    expect(files.length).toBeGreaterThan(5);
    // The SQL stays; a migration of a later release drops it.
    for (const file of files.filter((one) => !one.startsWith('supabase/')))
      await rm(join(copy, file));
    for (const { path, text } of changes) {
      const file = join(copy, path);
      const source = await readFile(file, 'utf8');
      try {
        await writeFile(file, applyDiff(source, text));
      } catch (error) {
        throw new Error(`The section "${name}" of docs/features.md no longer fits ${path}.`, {
          cause: error,
        });
      }
    }
  }
}

test('a shop without these features is in order: its types, exports, formatting and SQL calls', async () => {
  await takeOut();
  const changed = removals.flatMap(({ changes }) => changes.map(({ path }) => path));
  const fails = `${names} are taken out as docs/features.md says, and this check fails: add the line that it names to a diff of the feature's section.`;
  const programs: (readonly string[])[] = [
    ['node_modules/astro/bin/astro.mjs', 'sync'],
    // Types alone, unused variables among them: the rules double its time. The folders are named, because without git
    // oxlint would read node_modules too.
    [
      'node_modules/oxlint/bin/oxlint',
      '--disable-nested-config',
      '--type-check',
      ...['-A', 'all', 'src', 'netlify', 'local', 'tests'],
    ],
    ['node_modules/prettier/bin/prettier.cjs', '--check', ...changed],
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'database', 'data-api-functions'],
    // Seconds, for the pages alone, whose imports knip has resolved already: so not in every run.
    ...times<(readonly string[])[]>(
      [],
      [
        [
          'node_modules/astro/bin/astro.mjs',
          'check',
          '--noSync',
          '--tsconfig',
          'tsconfig.astro.json',
        ],
      ],
    ),
  ];
  for (const program of programs) expect(await outcomeIn(copy, ...program), fails).toBe('passed');
  // Knip is silent about all files that it takes for an entry (with `glob` of node:fs/promises in one test: all of them), so
  // it must find this one, and nothing else.
  await writeFile(join(copy, 'src/domain/unused.ts'), 'export const unused = 1;\n');
  const complaints = (await outcomeIn(copy, knip)).trim().split('\n');
  expect(complaints, fails).toEqual([
    expect.stringContaining('Unused files (1)'),
    expect.stringContaining('src/domain/unused.ts'),
  ]);
}, 180_000);
