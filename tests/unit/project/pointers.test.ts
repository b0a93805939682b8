import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findFiles } from '#tests/find-files.ts';

/* Comments and pages that say where something is are right: the file is there, and it has the name. */

const code = findFiles([
  '*.{ts,mjs}',
  ...['src', 'netlify', 'local', 'tests'].map((folder) => `${folder}/**/*.{ts,tsx,mjs,astro,css}`),
  'supabase/schemas/**/*.sql',
]).filter((path) => !path.startsWith('tests/second-shop/'));
const pages = findFiles(['*.md', 'docs/**/*.md']).filter((path) => path !== 'CHANGELOG.md');

/** The comments of a program, without the marks at the beginning of their lines, each on one line. */
function commentsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const marks = path.endsWith('.sql')
    ? /(?:^[ \t]*--[^\n]*\n)+/gmu
    : /\/\*.*?\*\/|(?:^[ \t]*\/\/[^\n]*\n)+/gmsu;
  return [...text.matchAll(marks)].map(([comment]) =>
    comment.replaceAll(/^[ \t]*(?:--|\/\/|\/?\*+\/?)/gmu, '').replaceAll(/\s+/gu, ' '),
  );
}

const file = String.raw`(?:src|netlify|local|tests|supabase)\/[\w./-]+\.(?:tsx?|mjs|js|sql|astro|css)`;
const comments = code.flatMap((path) => commentsOf(path).map((text) => ({ path, text })));
const texts = [...comments, ...pages.map((path) => ({ path, text: readFileSync(path, 'utf8') }))];
/** What shops of release 1.1.0 have in their own history. */
const isOfBefore = (target: string): boolean => target === 'src/shop.config.ts';

// documentation.test.ts looks at the pages.
test('every file that a comment names is there; NAME stands for any', () => {
  const named = comments.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(String.raw`(?<![\w./*-])${file}`, 'gu'))].map(([target]) => ({
      path,
      target,
    })),
  );
  expect(named.length).toBeGreaterThan(80);
  expect(
    named
      .filter(
        ({ target }) =>
          !isOfBefore(target) && globSync(target.replaceAll('NAME', '*')).length === 0,
      )
      .map(({ path, target }) => `${path}: ${target}`),
  ).toEqual([]);
});

test('a name that is said to be in a file is there', () => {
  const name = String.raw`(?:\x60([\w.]+)\x60|\b(\w+[a-z][A-Z]\w*|\w+[._]\w+))`;
  const said = texts.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(String.raw`${name} (?:in|of) \x60?(${file})`, 'gu'))].map(
      ([, quoted, plain, target = '']) => ({ path, name: quoted ?? plain ?? '', target }),
    ),
  );
  expect(said.length).toBeGreaterThan(40);
  expect(
    said
      .filter(
        (one) =>
          existsSync(one.target) &&
          !readFileSync(one.target, 'utf8').includes(one.name.split('.').at(-1) ?? ''),
      )
      .map((one) => `${one.path}: ${one.name} in ${one.target}`),
  ).toEqual([]);
});
