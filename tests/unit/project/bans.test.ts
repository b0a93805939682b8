import { describe, expect, test } from 'vitest';
import { complaints, configFor } from '../../lint/complaints.ts';
import { eachRow } from '../../each-row.ts';

const functionsOnly =
  'Only netlify/server/platform/env.ts reads the environment of functions. Add the variable to its schema.';
const servicesOnly =
  'Only src/services/environment.ts reads import.meta.env. Add the variable to its schema.';

describe('the environment', () => {
  const spellings = [
    'export const a = process.env.A;',
    "export const a = process['env']['A'];",
    'export const { env } = process;',
    'export const { env: settings } = globalThis.process;',
    'export const a = globalThis.process.env.A;',
    "import { env } from 'node:process';\nexport const a = env.A;",
    "export const a = Netlify.env.get('A');",
  ];

  test('is not read in src or in functions, in any spelling', () => eachRow(spellings, async (code) => {
    for (const file of ['src/services/probe.ts', 'netlify/server/probe.ts', 'netlify/functions/probe.ts']) {
      expect(await complaints(file, code)).toEqual([functionsOnly]);
    }
    expect(await complaints('src/pages/probe.astro', `---\n${code}\n---\n`)).toContain(functionsOnly);
  }));

  test('is read in env.ts, local, tests and configuration', () =>
    eachRow([
      'netlify/server/platform/env.ts',
      'local/probe.ts',
      'tests/unit/probe.test.ts',
      'probe.config.ts',
      'probe.config.mjs',
    ], async (file) => {
      for (const code of spellings) expect(await complaints(file, code)).toEqual([]);
    }),
  );

  const publicSpellings = [
    'export const a = import.meta.env.PUBLIC_A;',
    "export const a = import.meta['env'];",
    'export const { env } = import.meta;',
    'export const meta = import.meta;',
    'export const a = (import.meta as Record<string, unknown>).env;',
  ];

  test('of the build is read in src/services/environment.ts alone', () => eachRow(publicSpellings, async (code) => {
    expect(await complaints('src/services/environment.ts', code)).toEqual([]);
    for (const file of ['src/services/probe.ts', 'src/islands/cart/Probe.tsx', 'netlify/server/platform/env.ts']) {
      expect(await complaints(file, code)).toEqual([servicesOnly]);
    }
    expect(await complaints('src/layouts/Probe.astro', `---\n${code}\n---\n`)).toContain(servicesOnly);
  }));

  test('other uses of import.meta and of process are free', async () => {
    expect(
      await complaints('netlify/server/probe.ts', 'export const a = [import.meta.url, process.uptime()];'),
    ).toEqual([]);
  });
});

describe('files', () => {
  test('have names that say something', () =>
    eachRow(['utils', 'util', 'helpers', 'types', 'common', 'shared', 'index'], async (name) => {
      expect(await complaints(`src/domain/${name}.ts`, 'export const a = 1;')).toEqual([
        `'${name}' says nothing. Name the file after what it holds.`,
      ]);
    }),
  );

  test('are written in kebab-case, components excepted', async () => {
    expect(await complaints('src/domain/cartRules.ts', 'export const a = 1;')).toEqual([
      "'cartRules' should be written in kebab-case.",
    ]);
    expect(await complaints('src/islands/cart/CartPage.tsx', 'export const a = 1;')).toEqual([]);
  });

  test('stand on a floor', async () => {
    for (const file of ['src/lib/cart.ts', 'netlify/shared/cart.ts', 'src/money.ts']) {
      expect(await complaints(file, 'export const a = 1;')).toEqual([
        expect.stringContaining('stands on no floor'),
      ]);
    }
  });

  test('do not only pass others on', async () => {
    const barrel = 'This file only passes others on. Let importers name the file that has what they need.';
    expect(
      await complaints('src/domain/all.ts', "export { a } from './a.ts';\nexport { b } from './b.ts';"),
    ).toEqual([barrel]);
    expect(await complaints('src/domain/all.ts', "export * from './a.ts';")).toContain(barrel);
    expect(await complaints('src/domain/all.ts', "export * from './a.ts';\nexport const b = 1;")).toEqual([
      'Export by name: a reader must see where a name comes from.',
    ]);
    expect(await complaints('src/domain/all.ts', "export { a } from './a.ts';\nexport const b = 1;")).toEqual(
      [],
    );
  });

  test('have 250 lines at most, blank ones and comments counted', async () => {
    expect(await complaints('src/domain/long.ts', `export const a = 1;\n${'\n'.repeat(249)}`)).toEqual([]);
    expect(
      await complaints('src/domain/long.ts', `export const a = 1;\n${'\n// more'.repeat(250)}`),
    ).toHaveLength(1);
    expect(
      await complaints('src/pages/long.astro', `---\nconst a = 1;\n---\n${'<p>{a}</p>\n'.repeat(250)}`),
    ).toHaveLength(1);
  });

  test('put nothing off', () => eachRow(['// TODO: later', '/* fixme */', '/** @todo later */'], async (comment) => {
    for (const file of [
      'src/domain/probe.ts',
      'netlify/server/probe.ts',
      'local/probe.ts',
      'tests/unit/probe.test.ts',
    ]) {
      expect(await complaints(file, `${comment}\nexport const a = 1;`)).toHaveLength(1);
    }
  }));

  test('in src do not write to the console.log', async () => {
    expect(await complaints('src/stores/probe.ts', 'console.log(1);')).toHaveLength(1);
    expect(await complaints('src/pages/probe.astro', '---\nconsole.log(1);\n---\n')).toHaveLength(1);
    expect(
      await complaints('src/stores/probe.ts', 'console.info(1);\nconsole.warn(2);\nconsole.error(3);'),
    ).toEqual([]);
    expect(await complaints('netlify/server/platform/log.ts', 'console.log(1);')).toEqual([]);
  });
});

describe('the configuration', () => {
  test('looks at types everywhere', () =>
    eachRow([
      'src/domain/probe.ts',
      'src/islands/cart/Probe.tsx',
      'netlify/server/probe.ts',
      'local/probe.ts',
      'tests/unit/probe.test.ts',
    ], async (file) => {
      const rule = expect.arrayContaining([2]) as unknown;
      expect(await configFor(file)).toMatchObject({
        rules: {
          '@typescript-eslint/no-floating-promises': rule,
          '@typescript-eslint/no-explicit-any': rule,
          '@typescript-eslint/no-non-null-assertion': rule,
          '@typescript-eslint/no-unsafe-assignment': rule,
        },
      });
    }),
  );

  test('takes no exceptions from comments', () =>
    eachRow(['src/domain/probe.ts', 'src/pages/probe.astro', 'eslint.config.mjs'], async (file) => {
      expect(await configFor(file)).toMatchObject({ linterOptions: { noInlineConfig: true } });
    }),
  );

  test('looks at hooks in islands', async () => {
    expect(await configFor('src/islands/cart/Probe.tsx')).toMatchObject({
      rules: { 'react-hooks/rules-of-hooks': [2], 'react-hooks/exhaustive-deps': [1] },
    });
  });
});
