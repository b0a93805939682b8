import { describe, expect, test } from 'vitest';
import { complaints, type Case } from '../../lint/complaints.ts';
import { layers } from '../../lint/layers.ts';

/*
 * The architecture is only as good as the linter that guards it: each layer is tried against each other, each
 * package against a file that is not its home.
 */

/** One file of each layer, and how another folder of the project imports it. */
const probes = {
  'src/shop-schema': 'src/shop-schema/probe.ts',
  'src/settings': 'src/settings/probe.ts',
  'src/domain': 'src/domain/probe.ts',
  'src/services': 'src/services/probe.ts',
  'src/stores': 'src/stores/probe.ts',
  'src/elements': 'src/elements/probe.ts',
  'src/islands': 'src/islands/cart/Probe.tsx',
  'src/components': 'src/components/Probe.astro',
  'src/layouts': 'src/layouts/Probe.astro',
  'src/pages': 'src/pages/probe.astro',
  'netlify/core': 'netlify/core/probe.ts',
  'netlify/features': 'netlify/features/probe.ts',
  'netlify/functions': 'netlify/functions/probe.ts',
  'netlify/edge-functions': 'netlify/edge-functions/probe.ts',
  local: 'local/probe.ts',
  tests: 'tests/unit/probe.ts',
  'tailwind.config.mjs': 'tailwind.config.mjs',
  'src/shop': 'src/shop/probe.ts',
} as const;
type Probed = keyof typeof probes;
const places = Object.keys(probes) as Probed[];

/** The layers that each layer may import besides itself: typed out here, so that a slip in the rule's own table is seen. */
const below: Record<Probed, readonly Probed[]> = {
  'src/domain': ['src/shop-schema', 'src/settings'],
  'src/services': ['src/shop-schema', 'src/settings', 'src/domain'],
  'src/stores': ['src/shop-schema', 'src/settings', 'src/domain', 'src/services'],
  'src/elements': ['src/shop-schema', 'src/settings', 'src/domain', 'src/services', 'src/stores'],
  'src/islands': ['src/shop-schema', 'src/settings', 'src/domain', 'src/services', 'src/stores'],
  'src/components': [...places.slice(0, 7), 'src/shop'],
  'src/layouts': [...places.slice(0, 8), 'src/shop', 'tailwind.config.mjs'],
  'src/pages': [...places.slice(0, 9), 'src/shop', 'tailwind.config.mjs'],
  'netlify/core': ['src/shop-schema', 'src/settings', 'src/domain', 'tailwind.config.mjs'],
  'netlify/features': ['src/shop-schema', 'src/settings', 'src/domain', 'netlify/core'],
  'netlify/functions': [
    'src/shop-schema',
    'src/settings',
    'src/domain',
    'netlify/core',
    'netlify/features',
  ],
  'netlify/edge-functions': [],
  local: [...places.slice(0, 14), 'tailwind.config.mjs', 'src/shop'],
  tests: places,
  'tailwind.config.mjs': ['src/shop-schema', 'src/shop'],
  'src/shop-schema': [],
  'src/settings': ['src/shop-schema', 'src/shop'],
  'src/shop': ['src/shop-schema'],
};

function importOf(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1);
  return `import '${up === '' ? './' : up}${to}';\n`;
}
const inFile = (file: string, code: string): string =>
  file.endsWith('.astro') ? `---\n${code}---\n` : code;
/** A name of its own for each probe, so that one run of the linter looks at all of them. */
const numbered = (file: string, index: number): string =>
  file.replace('robe.', `robe-${String(index)}.`);

/** The linter's findings in the imports of each case. */
function said(cases: readonly Case[]): Promise<string[][]> {
  return complaints(
    cases.map(([file, code]) => [file, inFile(file, code)]),
    /^shop\(imports\)$/u,
  );
}

describe('a file imports from its own layer or below', () => {
  test('a layer may import lower layers only', async () => {
    const others = (from: Probed): Probed[] => places.filter((to) => to !== from);
    const imports = (from: Probed, targets: readonly Probed[]): Case => [
      probes[from],
      targets.map((to) => importOf(probes[from], probes[to])).join(''),
    ];
    const refused = places.map((from) =>
      others(from)
        .filter((to) => !below[from].includes(to))
        .map(() => layers[from].advice),
    );
    expect(await said(places.map((from) => imports(from, others(from))))).toEqual(refused);
    // As many are refused as should be; it is those that should be when none of the rest is.
    const rest = places.map((from) =>
      imports(
        from,
        others(from).filter((to) => below[from].includes(to)),
      ),
    );
    expect(await said(rest)).toEqual(places.map(() => []));
  });

  test('neighbours may be imported, others in no spelling', async () => {
    const folders = places.filter((layer) => !/\.m?[jt]s$/u.test(layer));
    const spellings = [
      "export { probe } from '../services/probe.ts';\nexport const one = 1;",
      "await import('../services/probe.ts');",
      "import type { Probe } from '../services/probe.ts';\nexport type Two = Probe;",
      "export type Probe = typeof import('../services/probe.ts');",
      "import '../services/probe.ts';",
      "import probe from '../services/probe.json';\nprobe();",
      "import probe from '../services/probe.ts?raw';\nprobe();",
      "import probe from '/src/services/probe.ts';\nprobe();",
      "import probe from '../../releases.json';\nprobe();",
    ];
    const page =
      "---\n---\n<script>\nimport { probe } from '../pages/probe.ts';\nprobe();\n</script>\n";
    // An element opens the account dialog by import() and in no other way.
    const door = '../islands/account/open-account-dialog.ts';
    const doors = [
      `await import('${door}');`,
      `import '${door}';`,
      "await import('../islands/cart/CartPage.tsx');",
    ];
    const answers = await complaints(
      [
        ...folders.map((layer): Case => [
          probes[layer],
          inFile(probes[layer], "import './next.ts';\n"),
        ]),
        ...spellings.map((code, index): Case => [numbered('src/domain/probe.ts', index), code]),
        ['src/components/Scripted.astro', page],
        ...doors.map((code, index): Case => [numbered('src/elements/probe.ts', index), code]),
        ['src/stores/without-extension.ts', "import '../domain/cart';"],
      ],
      /^shop\(imports\)$/u,
    );
    const { advice } = layers['src/elements'];
    expect(answers).toEqual([
      ...folders.map(() => []),
      ...spellings.map(() => [layers['src/domain'].advice]),
      [layers['src/components'].advice],
      [],
      [advice],
      [advice],
      [expect.stringContaining('extension')],
    ]);
  });

  test('the advice says where the code belongs', () => {
    expect(layers['src/domain'].advice).toBe(
      'src/domain is the lowest layer: it may import only src/settings, zod/mini and uFuzzy. Put I/O in src/services.',
    );
  });
});

const probe = ([source, file]: readonly [string, string], index: number): Case => [
  numbered(file, index),
  `import '${source}';\n`,
];

test('packages stay in their home, and are refused elsewhere with one advice', async () => {
  const refused = [
    ['zod', 'src/domain/probe.ts'],
    ['nanostores', 'src/domain/probe.ts'],
    ['node:fs', 'src/domain/probe.ts'],
    ['zod/mini', 'src/settings/probe.ts'],
    ['zod', 'src/shop/probe.ts'],
    ['react', 'src/elements/probe.ts'],
    ['react-dom/client', 'src/elements/probe.ts'],
    ['@nanostores/react', 'src/stores/probe.ts'],
    ['react', 'src/services/probe.ts'],
    ['@supabase/supabase-js', 'src/stores/probe.ts'],
    ['@supabase/supabase-js', 'src/islands/cart/probe.ts'],
    ['@supabase/supabase-js', 'src/pages/probe.astro'],
    ['@supabase/supabase-js', 'netlify/functions/probe.ts'],
    ['razorpay', 'netlify/core/probe.ts'],
    ['razorpay', 'netlify/functions/probe.ts'],
    ['razorpay/dist/types/orders', 'src/services/probe.ts'],
    ['razorpay', 'local/razorpay/probe.ts'],
    ['@supabase/lite', 'netlify/core/probe.ts'],
    ['@netlify/dev', 'src/pages/probe.astro'],
  ] as const;
  const home = [
    ['zod/mini', 'src/domain/probe.ts'],
    ['@leeoniya/ufuzzy', 'src/domain/probe.ts'],
    ['react', 'src/islands/cart/Probe.tsx'],
    ['@supabase/supabase-js', 'src/services/probe.ts'],
    ['@supabase/supabase-js', 'netlify/core/probe.ts'],
    ['@supabase/supabase-js', 'local/probe.ts'],
    ['@supabase/supabase-js', 'tests/functions/probe.test.ts'],
    ['@supabase/lite', 'local/probe.ts'],
    ['razorpay', 'netlify/core/payments/razorpay.ts'],
    ['razorpay', 'tests/functions/probe.test.ts'],
  ] as const;
  const answers = await said([...refused, ...home].map(probe));
  expect(answers.map((advice) => advice.length)).toEqual([
    ...refused.map(() => 1),
    ...home.map(() => 0),
  ]);
});
