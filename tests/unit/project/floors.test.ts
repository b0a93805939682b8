import { describe, expect, test } from 'vitest';
import { complaints } from '../../lint/complaints.ts';
import { floors } from '../../lint/floors.ts';

/*
 * The architecture is only as good as the linter that guards it: each floor is tried against each other, each
 * package against a file that is not its home.
 */

/** One file of each floor, and how another folder of the project imports it. */
const probes = {
  'src/shop.config.ts': 'src/shop.config.ts',
  'src/domain': 'src/domain/probe.ts',
  'src/services': 'src/services/probe.ts',
  'src/stores': 'src/stores/probe.ts',
  'src/elements': 'src/elements/probe.ts',
  'src/islands': 'src/islands/cart/Probe.tsx',
  'src/components': 'src/components/Probe.astro',
  'src/layouts': 'src/layouts/Probe.astro',
  'src/pages': 'src/pages/probe.astro',
  'netlify/server': 'netlify/server/probe.ts',
  'netlify/functions': 'netlify/functions/probe.ts',
  'netlify/edge-functions': 'netlify/edge-functions/probe.ts',
  local: 'local/probe.ts',
  tests: 'tests/unit/probe.ts',
  'tailwind.config.mjs': 'tailwind.config.mjs',
} as const;
type Probed = keyof typeof probes;
const places = Object.keys(probes) as Probed[];

/** What each floor may import besides itself: typed out here, so that a slip in the rule's own table is seen. */
const below: Record<Probed, readonly Probed[]> = {
  'src/shop.config.ts': [],
  'src/domain': ['src/shop.config.ts'],
  'src/services': ['src/shop.config.ts', 'src/domain'],
  'src/stores': ['src/shop.config.ts', 'src/domain', 'src/services'],
  'src/elements': ['src/shop.config.ts', 'src/domain', 'src/services', 'src/stores'],
  'src/islands': ['src/shop.config.ts', 'src/domain', 'src/services', 'src/stores'],
  'src/components': places.slice(0, 6),
  'src/layouts': [...places.slice(0, 7), 'tailwind.config.mjs'],
  'src/pages': [...places.slice(0, 8), 'tailwind.config.mjs'],
  'netlify/server': ['src/shop.config.ts', 'src/domain', 'tailwind.config.mjs'],
  'netlify/functions': ['src/shop.config.ts', 'src/domain', 'netlify/server'],
  'netlify/edge-functions': [],
  local: [...places.slice(0, 12), 'tailwind.config.mjs'],
  tests: places,
  'tailwind.config.mjs': [],
};

function importOf(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1);
  return `import { probe } from '${up === '' ? './' : up}${to}';\nprobe();\n`;
}
const inFile = (file: string, code: string): string => (file.endsWith('.astro') ? `---\n${code}---\n` : code);

/** What the linter says of each case, by the case's name; cycles between the probes that are real files left out. */
async function said(cases: readonly (readonly [name: string, file: string, code: string])[]): Promise<Record<string, string[]>> {
  const answers: Record<string, string[]> = {};
  for (const [name, file, code] of cases) {
    answers[name] = (await complaints(file, inFile(file, code))).filter((message) => !message.startsWith('Import cycle'));
  }
  return answers;
}

describe('a file imports from its own floor or below', () => {
  test('each floor is let down and not up', async () => {
    const pairs = places.flatMap((from) => places.filter((to) => to !== from).map((to) => [from, to] as const));
    const cases = pairs.map(([from, to]) => [`${from} > ${to}`, probes[from], importOf(probes[from], probes[to])] as const);
    const expected = pairs.map(([from, to]) => [`${from} > ${to}`, below[from].includes(to) ? [] : [floors[from].advice]] as const);
    expect(await said(cases)).toEqual(Object.fromEntries(expected));
  });

  test('each folder may import its neighbours', async () => {
    const folders = places.filter((floor) => !/\.m?[jt]s$/u.test(floor));
    const cases = folders.map((floor) => [floor, probes[floor], "import { next } from './next.ts';\nnext();\n"] as const);
    expect(await said(cases)).toEqual(Object.fromEntries(folders.map((floor) => [floor, []])));
  });

  test('in any spelling', async () => {
    const spellings = [
      "export { probe } from '../services/probe.ts';\nexport const one = 1;",
      "await import('../services/probe.ts');",
      "import type { Probe } from '../services/probe.ts';\nexport type Two = Probe;",
      "export type Probe = typeof import('../services/probe.ts');",
      "import '../services/probe.ts';",
      "import probe from '../services/probe.json';\nprobe();",
      "import probe from '../services/probe.ts?raw';\nprobe();",
      "import probe from '/src/services/probe.ts';\nprobe();",
      "import probe from '../../package.json';\nprobe();",
    ];
    const cases = spellings.map((code) => [code, 'src/domain/probe.ts', code] as const);
    expect(await said(cases)).toEqual(Object.fromEntries(spellings.map((code) => [code, [floors['src/domain'].advice]])));
  });

  test('the advice says where the code belongs', () => {
    expect(floors['src/domain'].advice).toBe(
      'src/domain is the ground floor: it may import only shop.config and zod/mini. Put I/O in src/services.',
    );
  });

  test('the scripts in a component are looked at too', async () => {
    const page = "---\n---\n<script>\nimport { probe } from '../pages/probe.ts';\nprobe();\n</script>\n";
    expect(await complaints('src/components/Probe.astro', page)).toEqual([floors['src/components'].advice]);
  });

  test('an element opens the account dialog by import() and in no other way', async () => {
    const door = '../islands/account/open-account-dialog.ts';
    expect(await complaints('src/elements/probe.ts', `await import('${door}');`)).toEqual([]);
    expect(await complaints('src/elements/probe.ts', `import '${door}';`)).toHaveLength(1);
    expect(
      await complaints('src/elements/probe.ts', "await import('../islands/cart/CartPage.tsx');"),
    ).toHaveLength(1);
  });

  test('a relative import names its extension', async () => {
    expect(await complaints('src/stores/probe.ts', "import '../domain/cart';")).toEqual([
      expect.stringContaining('extension'),
    ]);
  });
});

describe('packages stay in their home', () => {
  const caseOf = ([source, file]: readonly [string, string]) =>
    [`${source} in ${file}`, file, `import probe from '${source}';\nprobe();\n`] as const;

  test('and are refused elsewhere, with one advice', async () => {
    const refused = [
      ['zod', 'src/domain/probe.ts'],
      ['nanostores', 'src/domain/probe.ts'],
      ['node:fs', 'src/domain/probe.ts'],
      ['zod/mini', 'src/shop.config.ts'],
      ['react', 'src/elements/probe.ts'],
      ['react-dom/client', 'src/elements/probe.ts'],
      ['@nanostores/react', 'src/stores/probe.ts'],
      ['react', 'src/services/probe.ts'],
      ['@supabase/supabase-js', 'src/stores/probe.ts'],
      ['@supabase/supabase-js', 'src/islands/cart/probe.ts'],
      ['@supabase/supabase-js', 'src/pages/probe.astro'],
      ['@supabase/supabase-js', 'netlify/functions/probe.ts'],
      ['razorpay', 'netlify/server/probe.ts'],
      ['razorpay', 'netlify/functions/probe.ts'],
      ['razorpay/dist/types/orders', 'src/services/probe.ts'],
      ['razorpay', 'local/razorpay/probe.ts'],
      ['@supabase/lite', 'netlify/server/probe.ts'],
      ['@netlify/dev', 'src/pages/probe.astro'],
    ] as const;
    const answers = await said(refused.map(caseOf));
    expect(Object.entries(answers).filter(([, advice]) => advice.length !== 1)).toEqual([]);
    expect(Object.keys(answers)).toHaveLength(refused.length);
  });

  test('where they may be imported', async () => {
    const home = [
      ['zod/mini', 'src/domain/probe.ts'],
      ['react', 'src/islands/cart/Probe.tsx'],
      ['@supabase/supabase-js', 'src/services/probe.ts'],
      ['@supabase/supabase-js', 'netlify/server/probe.ts'],
      ['@supabase/supabase-js', 'local/probe.ts'],
      ['@supabase/supabase-js', 'tests/functions/probe.test.ts'],
      ['@supabase/lite', 'local/probe.ts'],
      ['razorpay', 'netlify/server/payments/razorpay.ts'],
      ['razorpay', 'tests/functions/probe.test.ts'],
    ] as const;
    expect(await said(home.map(caseOf))).toEqual(Object.fromEntries(home.map((each) => [caseOf(each)[0], []])));
  });
});
