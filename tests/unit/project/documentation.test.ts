import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFiles } from '#tests/find-files.ts';

/* Everything that the documentation points at exists: pages, headings, files, commands. */

const pages = findFiles(['*.md', 'docs/**/*.md', '.github/**/*.{md,yml}', 'local/demo/README.md']);
const texts = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]));
/** The page without its code blocks. */
const proseOf = (text: string): string => text.replaceAll(/^```.*?^```$/gmsu, '');

/** The anchors of a page's headings, as GitHub makes them: a second heading of the same words ends in -1. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(text).matchAll(/^#{1,6} (.+)$/gmu)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${String(count)}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Links and images of a page, as Markdown or HTML, that lead to a file of the project or a heading. */
const linksOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/gu)]
    .map(([, markdown, html]) => markdown ?? html ?? '')
    .filter((link) => !/^(?:https?|mailto):/u.test(link));

test('every relative link leads to a file, and its anchor to a heading', () => {
  const links = [...texts].flatMap(([page, text]) => linksOf(text).map((link) => ({ page, link })));
  expect(links.length).toBeGreaterThan(40);
  const dead = links.filter(({ page, link }) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), decodeURIComponent(path));
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
  });
  expect(dead).toEqual([]);
});

// What a former release had may be gone.
const current = [...texts].filter(([page]) => page !== 'CHANGELOG.md');

test('every `npm run` is a script of package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  const commands = current.flatMap(([page, text]) =>
    [...text.matchAll(/\bnpm run ([\w:-]+)/gu)].map(([, script = '']) => ({ page, script })),
  );
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.filter(({ script }) => !(script in scripts))).toEqual([]);
});

test('the workflow runs the commands of the README, with actions pinned by their commit', () => {
  const workflow = texts.get('.github/workflows/ci.yml') ?? '';
  expect(workflow).toContain('run: npm install && npm test\n');
  expect(texts.get('README.md')).toContain('npm install && npm test ');
  const actions = [...workflow.matchAll(/uses: (.+)$/gmu)].map(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(1);
  expect(
    actions.filter((action) => !/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/u.test(action)),
  ).toEqual([]);
});

test('every benchmark, test file and test folder that a command names is there', () => {
  const named = current.flatMap(([page, text]) => [
    ...[...text.matchAll(/npm run bench -- (\w[\w-]*)/gu)].map(([, name = '']) => ({
      page,
      path: `tests/bench/${name}.ts`,
    })),
    ...[...text.matchAll(/npx vitest run (?:--project \w+ )?(tests\/\S+?)(?=[`\s])/gu)].map(
      ([, path = '']) => ({ page, path }),
    ),
  ]);
  expect(named.length).toBeGreaterThan(2);
  // A page may tell its reader to make a file.
  const isMade = ({ page, path }: (typeof named)[number]): boolean =>
    texts.get(page)?.includes(`\n\`\`\`ts ${path}\n`) ?? false;
  expect(named.filter((one) => !existsSync(one.path) && !isMade(one))).toEqual([]);
});

test('the page of features has a line for every folder', () => {
  const page = texts.get(join('docs', 'features.md')) ?? '';
  const folders = findFiles(['src/features/*/*', 'netlify/features/*/*']).map((path) =>
    basename(dirname(path)),
  );
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});

describe('every file that is named in backticks', () => {
  const roots = ['.', 'src', 'netlify', 'netlify/core', 'src/domain', 'tests', 'docs'];
  const files = findFiles(
    ['src', 'netlify', 'local', 'tests', 'supabase', 'docs'].map((folder) => `${folder}/**/*`),
    { exclude: ['tests/**/node_modules/**'] },
  ).map((path) => basename(path));

  /** A path, or a file's name: `src/shop.config.ts`, `unit/cart`, `cart.ts`, `foundation.sql`. */
  function isThere(page: string, name: string): boolean {
    // Which an upgrade from 1.1.0 finds in the shop's own history.
    if (/^(?:src\/)?(?:shop|seller)\.config\.ts$/u.test(name)) return true;
    const path = name.replace(/\/$/u, '');
    if (path.includes('/'))
      return [...roots, dirname(page)].some((root) => globSync(join(root, path)).length > 0);
    return existsSync(path) || files.includes(path);
  }
  /** Names that stand for the reader's own, are made by a command, or belong to another package. */
  const notOurs =
    /^@|^(?:zod|hono|shop)\/|^text-|HASH|NAME|SUBJECT|<|^\/|^\.\/|^functions\.log$|^running\.json$|^secrets\.json$|^shop\.sql$|^build\.json$|^checkout\.js$|^node_modules\/|^\.local|^\.netlify/u;

  test('is there', () => {
    const named = [...texts].flatMap(([page, text]) =>
      [...proseOf(text).matchAll(/`([^`\s]+)`/gu)]
        .map(([, name = '']) => ({ page, name }))
        .filter(({ name }) =>
          /^(?:…|[\w.@-]+\/)[\w@*.…/-]+$|^[\w.-]+\.(?:ts|tsx|mjs|sql|md|toml|json|css|astro)$/u.test(
            name,
          ),
        )
        .filter(({ name }) => !notOurs.test(name)),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(
      named
        .filter(({ page, name }) => !isThere(page, name))
        .map(({ page, name }) => `${page}: ${name}`),
    ).toEqual([]);
  });
});
