import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variableTable } from '#local/doctor/variable-table.ts';
import { variables } from '#core/platform/variables.ts';

/** Set by the commands that build or serve the site, never by a person. */
const setByCommands = ['NODE_ENV'];

/** The first group of every match of `pattern` in a file, each once, in alphabetical order. Throws when there is none. */
function namesIn(path: string, pattern: RegExp): string[] {
  const names = [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name]) => name ?? '');
  if (names.length === 0)
    throw new Error(`${path} names no variable: the pattern or the file has changed`);
  return [...new Set(names)].sort();
}

/** Variables that the sources read. */
function variablesRead(): string[] {
  const build = 'astro.config.mjs';
  // Variables that the build itself defines for the pages are nobody's to set.
  const defined = namesIn(build, /'import\.meta\.env\.([A-Z_]+)':/gu);
  const read = [
    ...namesIn('netlify/core/platform/env.ts', /'([A-Z][A-Z_]*)'/gu),
    ...namesIn('src/services/environment.ts', /import\.meta\.env\.([A-Z_]+)/gu),
    ...namesIn(build, /(?:settings|process\.env)\.([A-Z_]+)/gu),
  ];
  return [...new Set(read)]
    .filter((name) => !defined.includes(name) && !setByCommands.includes(name))
    .sort();
}

const exampleName = /^#?([A-Z][A-Z_]*)=/gmu;

test('the table of variables has every variable that the sources read, and no other', () => {
  expect(Object.keys(variables).sort()).toEqual(variablesRead());
});

test('the guide has the table as `npm run doctor -- --variables` prints it', () => {
  expect(readFileSync('docs/going-live.md', 'utf8')).toContain(`\n${variableTable()}\n`);
});

test('.env.example shows which variables are needed: those without a mark before them', () => {
  const shown = namesIn('.env.example', /^([A-Z][A-Z_]*)=/gmu);
  expect(shown).toEqual(
    Object.entries(variables)
      .filter(([, { use }]) => use === 'needed')
      .map(([name]) => name)
      .sort(),
  );
});

test('.env.example names every variable that the sources read, each once, and no other', () => {
  const names = namesIn('.env.example', exampleName);
  expect(names).toEqual(variablesRead());
  expect(readFileSync('.env.example', 'utf8').match(exampleName)).toHaveLength(names.length);
});
