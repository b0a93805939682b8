import { describe, expect, test } from 'vitest';
import { complaints, type Case } from '../../lint/complaints.ts';

const functionsOnly =
  'Only netlify/server/platform/env.ts reads the environment of functions. Add the variable to its schema.';
const servicesOnly =
  'Only src/services/environment.ts reads import.meta.env. Add the variable to its schema.';
const component = (file: string, code: string): Case => [file, `---\n${code}\n---\n`];

describe('the environment', () => {
  const spellings = [
    'export const a = process.env.A;',
    "export const b = process['env']['A'];",
    'export const { env } = process;',
    'export const { env: settings } = globalThis.process;',
    'export const c = globalThis.process.env.A;',
    "import { env as d } from 'node:process';",
    "export const e = Netlify.env.get('A');",
  ];
  const publicSpellings = [
    'export const a = import.meta.env.PUBLIC_A;',
    "export const b = import.meta['env'];",
    'export const { env } = import.meta;',
    'export const meta = import.meta;',
    'export const c = (import.meta as Record<string, unknown>).env;',
  ];
  const environment = /^shop\(environment\)$/u;

  test('is not read in src or in functions, in any spelling', async () => {
    const code = spellings.join('\n');
    const answers = await complaints([
      ...['src/services/probe.ts', 'netlify/server/probe.ts', 'netlify/functions/probe.ts'].map((file) => [file, code] as const),
      component('src/pages/probe.astro', code),
      ['src/components/Probe.astro', `<p></p>\n<script>\n${code}\n</script>\n`],
    ], environment);
    expect(answers).toEqual(Array.from({ length: 5 }, () => spellings.map(() => functionsOnly)));
  });

  test('of the build is not read either', async () => {
    const code = publicSpellings.join('\n');
    const files = ['src/services/probe.ts', 'src/islands/cart/Probe.tsx', 'netlify/server/platform/env.ts'];
    const answers = await complaints([...files.map((file) => [file, code] as const), component('src/layouts/Probe.astro', code)], environment);
    expect(answers).toEqual(Array.from({ length: 4 }, () => publicSpellings.map(() => servicesOnly)));
  });

  test('is read in env.ts, local, tests and configuration, of the build in environment.ts; other uses are free', async () => {
    const homes = ['netlify/server/platform/env.ts', 'local/probe.ts', 'tests/unit/probe.test.ts', 'probe.config.ts', 'probe.config.mjs'];
    const cases: Case[] = [
      ...homes.map((file) => [file, spellings.join('\n')] as const),
      ['src/services/environment.ts', publicSpellings.join('\n')],
      ['netlify/server/probe.ts', 'export const a = [import.meta.url, process.uptime()];'],
    ];
    expect(await complaints(cases)).toEqual(cases.map(() => []));
  });
});

describe('files', () => {
  test('have names that say something, in kebab-case, components excepted, and stand on a floor', async () => {
    const one = 'export const a = 1;\n';
    const vague = ['utils', 'util', 'helpers', 'types', 'common', 'shared', 'index'];
    const homeless = ['src/lib/cart.ts', 'netlify/shared/cart.ts', 'src/money.ts'];
    const answers = await complaints([
      ...vague.map((name) => [`src/domain/${name}.ts`, one] as const),
      ['src/domain/cartRules.ts', one],
      ['src/islands/cart/CartPage.tsx', one],
      ...homeless.map((file) => [file, one] as const),
    ]);
    expect(answers).toEqual([
      ...vague.map((name) => [`'${name}' says nothing. Name the file after what it holds.`]),
      ["'cartRules' should be written in kebab-case."],
      [],
      ...homeless.map(() => [expect.stringContaining('stands on no floor') as string]),
    ]);
  });

  test('do not only pass others on; components export nothing', async () => {
    const barrel = 'This file only passes others on. Let importers name the file that has what they need.';
    const star = 'Export by name: a reader must see where a name comes from.';
    const exported = 'A component exports nothing; a page may export what Astro asks it for.';
    const paths = 'export function getStaticPaths() { return []; }';
    const answers = await complaints([
      ['src/domain/two.ts', "export { a } from './a.ts';\nexport { b } from './b.ts';"],
      ['src/domain/star.ts', "export * from './a.ts';"],
      ['src/domain/starred.ts', "export * from './a.ts';\nexport const b = 1;"],
      ['src/domain/own.ts', "export { a } from './a.ts';\nexport const b = 1;"],
      component('src/components/Card.astro', 'export interface Props { name: string }\nexport const a = 1;'),
      component('src/components/Paths.astro', paths),
      component('src/pages/[id].astro', `${paths}\nexport const prerender = true;\nexport const a = 1;`),
    ]);
    expect(answers).toEqual([[barrel], [barrel, star], [star], [], [exported], [exported], [exported]]);
  });

  test('of code have 250 lines at most, blank ones and comments counted', async () => {
    const answers = await complaints([
      ['src/domain/full.ts', `export const a = 1;\n${'\n'.repeat(249)}`],
      ['src/domain/long.ts', `export const a = 1;\n${'\n// more'.repeat(250)}`],
      ['src/islands/cart/Long.tsx', `export const a = 1;\n${'\n'.repeat(250)}`],
    ], /^eslint\(max-lines\)$/u);
    expect(answers.map(({ length }) => length)).toEqual([0, 1, 1]);
  });

  test('put nothing off', async () => {
    const code = '// TODO: later\n/* fixme */\n/** @todo later */\nexport const a = 1;\n';
    const files = ['src/domain/probe.ts', 'netlify/server/probe.ts', 'local/probe.ts', 'tests/unit/probe.test.ts'];
    const answers = await complaints([...files.map((file) => [file, code] as const), component('src/pages/probe.astro', code)], /^eslint\(no-warning-comments\)$/u);
    expect(answers.map(({ length }) => length)).toEqual([3, 3, 3, 3, 3]);
  });

  test('in src do not write to the console.log', async () => {
    const code = 'console.log(1);\nconsole.info(1);\nconsole.warn(2);\nconsole.error(3);';
    const answers = await complaints([
      ['src/stores/probe.ts', code],
      component('src/pages/probe.astro', code),
      ['netlify/server/platform/log.ts', code],
    ], /^eslint\(no-console\)$/u);
    expect(answers.map(({ length }) => length)).toEqual([1, 1, 0]);
  });
});
