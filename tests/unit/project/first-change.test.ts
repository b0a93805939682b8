import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { applyDiff, isFollowed, readChanges, subjectOf } from '#tests/documented-changes.ts';
import { eachRow } from '#tests/each-row.ts';

/* `npm run bench -- first-change` follows the page to its end, with all unit tests. */

const page = await readFile('docs/first-change.md', 'utf8');
const blocks = readChanges(page);

test('the changes of docs/first-change.md fit these sources, or have been made', async () => {
  expect(blocks.map(({ kind }) => kind).sort()).toEqual(['diff', 'diff', 'diff', 'sql', 'ts']);
  await eachRow(blocks, async ({ kind, path, text }) => {
    if (kind === 'sql') expect(page).toContain(`\`npm run migration -- ${subjectOf(path)}\``);
    if (kind !== 'diff') return;
    const source = await readFile(path, 'utf8');
    if (!isFollowed(source, text)) expect(applyDiff(source, text)).not.toBe(source);
  });
});

test('every test that step 4 of docs/first-change.md runs is there, or made by the page', () => {
  const [command = ''] = /npx vitest run .*/u.exec(page.slice(page.indexOf('## 4.'))) ?? [];
  const tests = command
    .split(' ')
    .slice(3)
    .flatMap((path) => {
      const [, folder = '', names = '', end = ''] = /^(.*)\{(.*)\}(.*)$/u.exec(path) ?? [];
      return names === '' ? [path] : names.split(',').map((name) => `${folder}${name}${end}`);
    });
  expect(tests.length).toBeGreaterThan(2);
  const made = blocks.map(({ path }) => path);
  expect(tests.filter((path) => !existsSync(path) && !made.includes(path))).toEqual([]);
});
