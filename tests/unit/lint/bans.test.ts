import { describe, expect, test } from 'vitest';
import { complaints, type Case } from '../../lint/complaints.ts';

const functionsOnly =
  'Only netlify/core/platform/env.ts reads the environment of functions. Add the variable to its schema.';
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
  test('is read in its two homes, in local, tests and configuration, and nowhere else, in any spelling', async () => {
    const [own, ofBuild] = [spellings.join('\n'), publicSpellings.join('\n')];
    const homes = [
      'netlify/core/platform/env.ts',
      'local/probe.ts',
      'tests/unit/probe.test.ts',
      'probe.config.ts',
      'probe.config.mjs',
    ];
    const answers = await complaints(
      [
        ...['src/services/probe.ts', 'netlify/core/probe.ts', 'netlify/functions/probe.ts'].map(
          (file): Case => [file, own],
        ),
        component('src/pages/probe.astro', own),
        ['src/components/Scripted.astro', `<p></p>\n<script>\n${own}\n</script>\n`],
        ...[
          'src/stores/probe.ts',
          'src/islands/cart/Probe.tsx',
          'netlify/core/platform/log.ts',
        ].map((file): Case => [file, ofBuild]),
        component('src/layouts/Probe.astro', ofBuild),
        ...homes.map((file): Case => [file, own]),
        ['src/services/environment.ts', ofBuild],
        ['netlify/core/other-uses.ts', 'export const a = [import.meta.url, process.uptime()];'],
      ],
      /^shop\(environment\)$/u,
    );
    expect(answers).toEqual([
      ...Array.from({ length: 5 }, () => spellings.map(() => functionsOnly)),
      ...Array.from({ length: 4 }, () => publicSpellings.map(() => servicesOnly)),
      ...[...homes, '', ''].map(() => []),
    ]);
  });
});

test('the day of a moment is not cut from its text, which has the day in UTC', async () => {
  const days =
    "This day is UTC's. Use isoDateInIndia for a moment, and isoDay for a day of the calendar.";
  const lines = [
    'export const a = new Date().toISOString().slice(0, 10);',
    'export const b = (createdAt: string) => createdAt.slice(0, 10);',
    'export const c = (row: { paid_at: string | null }) => row.paid_at?.substring(0, 10);',
    'export const d = new Date().toJSON().slice(0, 7);',
    "export const e = new Date().toISOString().split('T')[0];",
    'export const f = new Date().getDate();',
    'export const g = new Date().toLocaleDateString();',
  ];
  const fine = [
    'export const a = [1, 2].slice(0, 10);',
    "export const b = '2026-11-20'.slice(0, 7);",
    'export const c = (at: readonly number[]) => at.slice(0, 10);',
    'export const d = new Date().toISOString();',
    'export const e = new Date().getUTCFullYear();',
  ];
  const files = ['src/domain/probe.ts', 'local/probe.ts', 'tests/unit/probe.test.ts'];
  expect(
    await complaints(
      [
        ...files.map((file): Case => [file, lines.join('\n')]),
        ['src/domain/calendar-day.ts', lines[0] ?? ''],
        ['netlify/core/probe.ts', fine.join('\n')],
      ],
      /^shop\(days\)$/u,
    ),
  ).toEqual([...files.map(() => lines.map(() => days)), [], []]);
});

/** Files, and what the linter says of each. */
type Row = readonly [...Case, said: unknown[]];

test('files have names that say something, in kebab-case, a layer and something of their own', async () => {
  const one = 'export const a = 1;\n';
  const barrel =
    'This file only passes others on. Let importers name the file that has what they need.';
  const star = 'Export by name: a reader must see where a name comes from.';
  const exported = 'A component exports nothing; a page may export what Astro asks it for.';
  const paths = 'export function getStaticPaths() { return []; }';
  const rows: Row[] = [
    ...['utils', 'util', 'helpers', 'types', 'common', 'shared', 'index'].map((name): Row => [
      `src/domain/${name}.ts`,
      one,
      [`'${name}' says nothing. Name the file after what it holds.`],
    ]),
    ['src/domain/cartRules.ts', one, ["'cartRules' should be written in kebab-case."]],
    ['src/islands/cart/CartPage.tsx', one, []],
    ...['src/lib/cart.ts', 'netlify/shared/cart.ts', 'src/money.ts'].map((file): Row => [
      file,
      one,
      [expect.stringContaining('is in no layer')],
    ]),
    ['src/domain/two.ts', "export { a } from './a.ts';\nexport { b } from './b.ts';", [barrel]],
    ['src/domain/star.ts', "export * from './a.ts';", [barrel, star]],
    ['src/domain/starred.ts', "export * from './a.ts';\nexport const b = 1;", [star]],
    ['src/domain/own.ts', "export { a } from './a.ts';\nexport const b = 1;", []],
    [
      ...component(
        'src/components/Card.astro',
        'export interface Props { name: string }\nexport const a = 1;',
      ),
      [exported],
    ],
    [...component('src/components/Paths.astro', paths), [exported]],
    [
      ...component(
        'src/pages/[id].astro',
        `${paths}\nexport const prerender = true;\nexport const a = 1;`,
      ),
      [exported],
    ],
  ];
  expect(
    await complaints(
      rows.map(([file, code]) => [file, code]),
      /^shop\(files\)$/u,
    ),
  ).toEqual(rows.map(([, , said]) => said));
});
