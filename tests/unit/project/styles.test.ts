import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { findFiles } from '#tests/find-files.ts';
import { importedFile } from '#tests/imported-file.ts';
import tokens from '../../../tailwind.config.mjs';

// Tailwind says nothing of a `@source` that is not there: its classes are missing from the page, and nothing else.
test('every file and folder that a stylesheet names is there', () => {
  const named = findFiles('src/{styles,features}/**/*.css').flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /@(?:source|import|reference|config)(?: not)? '(\.[^']+)'/gu,
      ),
    ].map(([, path]) => join(dirname(file), path ?? '')),
  );
  expect(named.length).toBeGreaterThan(20);
  // A pattern names a place, which no feature may use.
  expect(named.filter((path) => !existsSync(path.replace(/\/\*.*$/u, '')))).toEqual([]);
});

const namedBy = (file: string, directive: 'source' | 'source not' | 'import'): string[] =>
  [...readFileSync(file, 'utf8').matchAll(new RegExp(`@${directive} '(\\.[^']+)'`, 'gu'))].map(
    ([, path]) => join(dirname(file), path ?? ''),
  );
const covers = (sources: readonly string[], file: string) =>
  sources.some((source) => matchesGlob(file, source) || matchesGlob(file, `${source}/**`));

/** A page, its layout and all components in its `main`, with the stylesheets that they import. The frame around `main` is Base's. */
function filesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || file === 'src/layouts/Base.astro') return found;
  found.add(file);
  if (!file.endsWith('.css')) {
    const text = readFileSync(file, 'utf8');
    const imports =
      /^import (?:.* from )?'([.#][^']+\.(?:astro|tsx|css))';$|import\.meta\.glob<[^\n]*>\(\s*'(\.[^']+\.astro)'/gmu;
    for (const [, path, places = ''] of text.matchAll(imports))
      for (const next of path === undefined
        ? globSync(join(dirname(file), places))
        : [importedFile(file, path) ?? path])
        filesOf(next, found);
  }
  return found;
}

const classesOfSheets = new Set(
  findFiles('src/{styles,features}/**/*.css').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\.([a-z][\w-]*)/gu)].map(([, name]) => name),
  ),
);
const fromSomeWidth = new RegExp(
  String.raw`[\s"'](?:max-)?(?:${Object.keys(tokens.theme.screens).join('|')}):`,
  'u',
);

/** Whether its markup has utilities, and whether one of them is for some widths only. */
function utilitiesOf(file: string): { some: boolean; forWidths: boolean } {
  const text = readFileSync(file, 'utf8');
  const names = [...text.matchAll(/\bclass="([^"]*)"/gu)].flatMap(([, value = '']) =>
    value.split(' '),
  );
  return {
    some: names.some((name) => !classesOfSheets.has(name)),
    forWidths: fromSomeWidth.test(text),
  };
}

// Tailwind is silent about both: of a file that no sheet names, the utilities are missing; and a plain `gap-10` of a page's
// sheet wins over a `lg:gap-16` that stands in the sheet of all pages alone.
test('the utilities of every component are in a sheet of its page: in the page’s own, if there is one and they go by width', () => {
  const ofAll = {
    named: namedBy('src/styles/global.css', 'source'),
    not: namedBy('src/styles/global.css', 'source not'),
  };
  const missing = findFiles(['src/pages/**/*.astro', 'src/features/*/pages/**/*.astro']).flatMap(
    (page) => {
      const files = [...filesOf(page)];
      // It has all utilities of its pages.
      if (files.includes('src/styles/islands.css')) return [];
      const own = files.filter(
        (file) =>
          file.endsWith('.css') &&
          namedBy(file, 'import').some((path) => path.endsWith('page-utilities.css')),
      );
      const ownSources = own.flatMap((file) => namedBy(file, 'source'));
      const unnamed = files.filter((file) => {
        if (!file.endsWith('.astro') || covers(ownSources, file)) return false;
        const { some, forWidths } = utilitiesOf(file);
        const isInSheetOfAll = covers(ofAll.named, file) && !covers(ofAll.not, file);
        return (forWidths && own.length > 0) || ((some || forWidths) && !isInSheetOfAll);
      });
      return unnamed.map((file) => `${page}: ${file}`);
    },
  );
  expect(missing).toEqual([]);
});
