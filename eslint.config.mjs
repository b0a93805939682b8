import astro from 'eslint-plugin-astro';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { cyclesRule } from './tests/lint/cycles-rule.ts';
import { environmentRule } from './tests/lint/environment-rule.ts';
import { filesRule } from './tests/lint/files-rule.ts';
import { importsRule } from './tests/lint/imports-rule.ts';

/** The architecture, enforced: who imports whom, who reads the environment, what files are called. */
const shop = { rules: { imports: importsRule, cycles: cyclesRule, environment: environmentRule, files: filesRule } };

const typed = ['**/*.ts', '**/*.tsx'];
// The scripts inside .astro files have names such as `Header.astro/1_1.ts`, which no TypeScript program knows.
const untyped = ['**/*.mjs', '**/*.js', '**/*.astro', '**/*.astro/*.ts', '**/*.astro/*.js'];

export default defineConfig(
  {
    name: 'shop/ignored',
    ignores: ['dist/', '.astro/', '.netlify/', '.local/', 'public/', 'test-results/', 'playwright-report/'],
  },
  {
    name: 'shop/no-exceptions',
    // A rule that does not fit is settled here, for everyone, with its reason.
    linterOptions: { noInlineConfig: true },
  },
  {
    name: 'shop/typescript',
    files: typed,
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // `onClick={() => close()}` is plain; a promise that nobody awaits is still refused by no-floating-promises.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // React handlers and listeners may be async: their callers expect nothing back.
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      // An empty text falls through `||` on purpose: a name that is blank is no name.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // tsconfig's noPropertyAccessFromIndexSignature asks for brackets where this rule would take them away.
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  {
    name: 'shop/untyped',
    files: untyped,
    // `astro check` looks at the types in .astro files.
    extends: [tseslint.configs.strict, tseslint.configs.stylistic, tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
  },
  // After the TypeScript blocks: .astro files need its parser.
  ...astro.configs.recommended,
  {
    name: 'shop/react',
    files: ['**/*.tsx', 'src/islands/**/*.ts'],
    extends: [reactHooks.configs.flat['recommended-latest']],
  },
  {
    name: 'shop/architecture',
    files: [...typed, ...untyped],
    plugins: { shop },
    rules: {
      'shop/imports': 'error',
      'shop/cycles': 'error',
      'shop/environment': 'error',
      'shop/files': 'error',
      'max-lines': ['error', { max: 250, skipBlankLines: false, skipComments: false }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
      // `== null` says 'null or undefined' in one word.
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    name: 'shop/browser-console',
    files: ['src/**'],
    rules: { 'no-console': ['error', { allow: ['info', 'warn', 'error'] }] },
  },
  {
    name: 'shop/tests',
    files: ['tests/**/*.ts'],
    rules: {
      // `expect(mock.method)` hands a method over to be looked at, not to be called.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
