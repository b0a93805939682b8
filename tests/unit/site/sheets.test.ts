import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findFiles } from '#tests/find-files.ts';

/** The files of these patterns that have a text, with their sources. */
const filesWith = (patterns: readonly string[], text: string) =>
  findFiles(patterns)
    .map((path) => ({ path, source: readFileSync(path, 'utf8') }))
    .filter(({ source }) => source.includes(text));

test('every dialog of a customer’s page is closed by the browser’s Back', () => {
  const islands = ['cart', 'checkout', 'account', 'auth', 'confirmation'].map(
    (name) => `src/islands/${name}/**/*.tsx`,
  );
  expect(filesWith(islands, '<Sheet').length).toBeGreaterThan(1);
  expect(filesWith(islands, '<ModalDialog').map(({ path }) => path)).toEqual([]);

  const opening = filesWith(['src/elements/**/*.ts'], '.showModal()');
  expect(opening.length).toBeGreaterThan(1);
  const careless = opening.filter(({ source }) => !source.includes('closeDialogOnBack('));
  expect(careless.map(({ path }) => path)).toEqual([]);
});
