import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findFiles } from '#tests/find-files.ts';
import { complaints, type Case } from '#tests/lint/complaints.ts';

/* The rules that come with the linter are its own business; that they are on, and where, is ours. */

const silence = ['eslint', 'disable-next-line'].join('-');
/** A program of every layer with a fault on each line, and the rules that say so; types are needed to see half of them. */
const faults: readonly (readonly [line: string, ...rules: string[]])[] = [
  ['async function later(): Promise<number> { await Promise.resolve(); return 1; }'],
  ['later();', 'typescript(no-floating-promises)'],
  ["const parsed = JSON.parse('1') as unknown as string[] | null;"],
  ["export const loose: string = JSON.parse('1');", 'typescript(no-unsafe-assignment)'],
  ["export const member = JSON.parse('1').a as string;", 'typescript(no-unsafe-member-access)'],
  ['export const first = parsed!.length;', 'typescript(no-non-null-assertion)'],
  [
    'export const sure = (text: string): string => text ?? String(first);',
    'typescript(no-unnecessary-condition)',
  ],
  ['export const shown = (row: object): string => String(row);', 'typescript(no-base-to-string)'],
  ['switch (parsed === null) { case true: break; }', 'typescript(switch-exhaustiveness-check)'],
  ['const unused = 1;', 'eslint(no-unused-vars)'],
  ["export const equal = (a: unknown) => a == 'a';", 'eslint(eqeqeq)'],
  ['let never = 1;', 'eslint(prefer-const)'],
  ['export const used = never;'],
  [`// ${silence}`],
  ['export const again: any = 1;', 'typescript(no-explicit-any)'],
];

test('types are checked in every layer, hooks in islands, the code of components too; files import in one direction; a comment makes no exception', async () => {
  const code = faults.map(([line]) => line).join('\n');
  const files = [
    'src/domain/probe.ts',
    'src/islands/cart/Probe.tsx',
    'netlify/core/probe.ts',
    'local/probe.ts',
    'tests/unit/probe.test.ts',
  ];
  const cases: Case[] = [
    ...files.map((file): Case => [file, code]),
    [
      'src/islands/cart/Hooks.tsx',
      `import { useEffect, useState } from 'react';
export function Hooks({ on, name }: { on: boolean; name: string }) {
  const [said, setSaid] = useState('');
  useEffect(() => { setTimeout(() => { setSaid(name); }, 1); }, []);
  if (on) useState(1);
  return <p>{said}</p>;
}`,
    ],
    [
      'src/components/Probe.astro',
      '---\nvar a: any = 1;\n---\n{a}\n<script>\nvar b = 1;\n</script>\n',
    ],
    ['probe.config.mjs', 'var a = 1;\nexport default a;\n'],
    ['src/domain/one.ts', "import type { Two } from './two.ts';\nexport type One = Two;\n"],
    ['src/domain/two.ts', "import type { One } from './one.ts';\nexport type Two = One;\n"],
  ];
  const seen = faults.flatMap(([, ...rules]) => rules);
  expect(await complaints(cases, /./u)).toEqual([
    ...files.map(() => seen),
    ['react-hooks(exhaustive-deps)', 'react-hooks(rules-of-hooks)'],
    ['eslint(no-var)', 'typescript(no-explicit-any)', 'eslint(no-var)'],
    ['eslint(no-var)'],
    ['import(no-cycle)'],
    ['import(no-cycle)'],
  ]);
});

test('a file imports from its own layer or below, a package at its home, and reads the environment in one file', async () => {
  const refused = 'eslint(no-restricted-imports)';
  const cases: (readonly [...Case, ...rules: string[]])[] = [
    ['src/domain/up.ts', "export { a } from '#services/probe.ts';", refused],
    ['src/domain/lazy.ts', "await import('#services/probe.ts');", refused],
    ['src/domain/type.ts', "import type { A } from '#stores/a.ts';\nexport type B = A;", refused],
    ['src/domain/feature.ts', "import '#features/wishlist/wishlist-store.ts';", refused],
    ['src/domain/rules.ts', "import '#features/wishlist/domain/wishlist.ts';"],
    [
      'src/domain/down.ts',
      "import * as z from 'zod/mini';\nexport { shop } from '#settings/shop.ts';\nexport const a = z.int();",
    ],
    ['src/domain/package.ts', "import 'node:fs';", refused],
    ['src/features/wishlist/domain/up.ts', "import '#services/probe.ts';", refused],
    ['src/stores/up.ts', "import '#elements/probe.ts';", refused],
    [
      'src/components/Up.astro',
      "---\nimport Base from '#layouts/Base.astro';\n---\n<Base />",
      refused,
    ],
    ['src/components/Script.astro', "<script>\nimport '#pages/probe.ts';\n</script>", refused],
    ['src/pages/server.ts', "import '#core/platform/env.ts';", refused],
    ['src/shop/up.ts', "import '#settings/shop.ts';", refused],
    ['src/elements/react.ts', "import 'react';", refused],
    ['src/islands/cart/react.ts', "import 'react';"],
    ['src/stores/supabase.ts', "import '@supabase/supabase-js';", refused],
    ['netlify/core/supabase.ts', "import '@supabase/supabase-js';"],
    ['netlify/core/payments/razorpay.ts', "import 'razorpay';"],
    ['netlify/core/razorpay.ts', "import 'razorpay';", refused],
    ['netlify/core/islands.ts', "import '#islands/cart/react.ts';", refused],
    ['netlify/edge-functions/core.ts', "import '#core/platform/env.ts';", refused],
    ['src/domain/orders/climbs.ts', "import '../down.ts';", refused],
    ['src/layouts/root.ts', "import '../../tailwind.config.mjs';"],
    ['src/shop/types.ts', "import '../shop-schema/shop-schema.ts';"],
    ['src/domain/extension.ts', "import './down';", 'import(extensions)'],
    ['src/domain/star.ts', "export * from './down.ts';", 'oxc(no-barrel-file)'],
    ['netlify/core/reads.ts', 'export const a = process.env;', 'eslint(no-restricted-properties)'],
    ['netlify/core/platform/env.ts', 'export const a = process.env;'],
  ];
  expect(
    await complaints(
      cases.map(([file, code]) => [file, code]),
      /restricted|extensions|barrel/u,
    ),
  ).toEqual(cases.map(([, , ...rules]) => rules));
});

test('the day of a moment is not cut from its text, which has the day in UTC', async () => {
  const days =
    "This day is UTC's. Use isoDateInIndia for a moment, and isoDay for a day of the calendar.";
  const lines = [
    'export const a = new Date().toISOString().slice(0, 10);',
    'export const b = (createdAt: string) => createdAt.slice(0, 10);',
    'export const c = (row: { paid_at: string | null }) => row.paid_at?.substring(0, 10);',
    "export const d = new Date().toJSON().split('T')[0];",
    'export const e = new Date().getDate();',
  ];
  const fine = [
    'export const a = [1, 2].slice(0, 10);',
    'export const b = new Date().toISOString();',
    'export const c = new Date().getUTCFullYear();',
  ];
  expect(
    await complaints(
      [
        ['src/domain/probe.ts', lines.join('\n')],
        ['src/domain/calendar-day.ts', lines.join('\n')],
        ['netlify/core/probe.ts', fine.join('\n')],
      ],
      /^shop\(days\)$/u,
    ),
  ).toEqual([lines.map(() => days), [], []]);
});

test('an object literal is not spread into an object', async () => {
  const found = [
    'export const a = { ...{ b: 1, c: 2 } };',
    'export const d = (e: object) => ({ ...e, ...{ f: 1 } });',
  ];
  const fine = [
    'export const a = (b?: number) => ({ c: 1, ...(b === undefined ? {} : { b }) });',
    'export const d = (e: object) => ({ ...e, f: { g: 1 } });',
  ];
  expect(
    await complaints(
      [
        ['src/domain/probe.ts', found.join('\n')],
        ['netlify/core/probe.ts', fine.join('\n')],
      ],
      /^shop\(spread\)$/u,
    ),
  ).toEqual([
    found.map(() => 'Write these properties into the object itself, without `...{ }`.'),
    [],
  ]);
});

/** Every file of ours with code in it. */
const sources = findFiles([
  '*.{ts,mjs}',
  ...['src', 'netlify', 'local', 'tests'].map((folder) => `${folder}/**/*.{ts,tsx,mjs,js,astro}`),
])
  // It is linted where it stands in for src/shop.
  .filter((path) => !path.startsWith('tests/second-shop/'));

test('every file is looked at', () => {
  const listed = execFileSync(
    process.execPath,
    ['node_modules/oxlint/bin/oxlint', '--debug=files'],
    { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
  );
  const looked = listed.split('\n').map((line) => line.trim().replaceAll('\\', '/'));
  expect(sources.length).toBeGreaterThan(900);
  expect(
    sources.filter((path) => !looked.some((line) => line === path || line.endsWith(`/${path}`))),
  ).toEqual([]);
});

test('no file takes itself out of a rule by a comment', () => {
  const exception = /(?:\/\/|\/\*|\*|<!--)\s*(?:es|ox)lint-(?:dis|en)able/u;
  expect(exception.test(`/* ${silence} */`)).toBe(true);
  expect(sources.filter((path) => exception.test(readFileSync(path, 'utf8')))).toEqual([]);
});

/** The parts of an .astro file that the linter cannot see: its length, and its template. */
function faultsOfComponent(text: string): string[] {
  const template = text.replace(/^---\n.*?^---$/msu, '').replaceAll(/<script.*?<\/script>/gsu, '');
  const faults = {
    'longer than 280 lines': text.trimEnd().split('\n').length > 280,
    'reads the environment in its template':
      /\b(?:process|Netlify|Deno)\b.{0,4}\benv\b|import\.meta/su.test(template),
    'puts something off': /(?:<!--|\{\/\*)(?:(?!-->|\*\/).)*\b(?:todo|fixme|xxx)\b/isu.test(
      template,
    ),
    'has content that set:html takes the place of': /\sset:(?:html|text)=(?:=>|[^>])*[^/=]>/u.test(
      template,
    ),
    'does not name the framework of client:only': /\sclient:only(?!=)/u.test(template),
    // The compiler drops the line break between the two, and the page would say "daysand".
    'has words glued to the expression before them':
      /(?<!=)\{(?!' '\})[^{}\n]*\}\n[ \t]*[a-z]/iu.test(template),
  };
  return Object.entries(faults).flatMap(([fault, found]) => (found ? [fault] : []));
}

test('components are short, and their templates have no fault that only shows in the browser', () => {
  const templates = [
    '<p>{process.env.A}</p>',
    '<a href={import.meta.env.A} />',
    '<!-- TODO: later -->',
    '{/* fixme */}',
    '<p set:html={a => b}>text</p>',
    '<Cart client:only />',
    '<p>\n  {days}\n  and more\n</p>',
  ];
  expect(
    templates.map((template) => faultsOfComponent(`---\nconst a = 1;\n---\n${template}\n`).length),
  ).toEqual(templates.map(() => 1));
  expect(faultsOfComponent('<p></p>\n'.repeat(281))).toHaveLength(1);
  expect(
    faultsOfComponent(
      '---\nconst a = import.meta.env;\n---\n<p set:html={all.map((a) => a)} /><a>b</a>{/* why */}<Cart client:only="react" />',
    ),
  ).toEqual([]);
  const components = sources.filter((path) => path.endsWith('.astro'));
  expect(
    components.flatMap((path) =>
      faultsOfComponent(readFileSync(path, 'utf8')).map((fault) => `${path} ${fault}`),
    ),
  ).toEqual([]);
});
