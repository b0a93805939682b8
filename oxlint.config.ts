import { defineConfig } from 'oxlint';
import { layerOverrides } from './tests/lint/layers.ts';

/** These rules of one plugin as errors, without options. */
const errors = (plugin: string, names: string): Record<string, 'error'> =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/u)
      .map((name) => [`${plugin}/${name}`, 'error']),
  );

export default defineConfig({
  plugins: ['eslint', 'typescript', 'react', 'import', 'oxc'],
  // Whose day is shown, and objects that are written out.
  jsPlugins: ['./tests/lint/plugin.ts'],
  // `correctness` of every plugin named above is on; the rules below are on besides.
  categories: { correctness: 'error' },
  options: {
    typeAware: true,
    denyWarnings: true,
    // A rule that does not fit is settled here, for everyone, with its reason. Oxlint's own comments cannot be switched off:
    // tests/unit/lint/lint-rules.test.ts refuses them.
    respectEslintDisableDirectives: false,
  },
  ignorePatterns: [
    'dist/',
    '.astro/',
    '.netlify/',
    '.local/',
    'public/',
    // Checked where it stands in for src/shop: its imports are of there.
    'tests/second-shop/',
    'test-results/',
    'playwright-report/',
  ],
  rules: {
    'shop/days': 'error',
    'shop/spread': 'error',
    ...errors(
      'eslint',
      'no-array-constructor no-empty-function no-useless-constructor no-var prefer-const prefer-rest-params prefer-spread',
    ),
    // Not even for a type: each file can be read, tested and moved without the others.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    // Node runs these files as they are.
    'import/extensions': ['error', 'always', { ignorePackages: true }],
    // A reader must see where a name comes from.
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    // Faults, and escapes from the types.
    ...errors(
      'typescript',
      `no-confusing-non-null-assertion no-deprecated no-dynamic-delete no-empty-object-type no-explicit-any no-extraneous-class
      no-generated-empty-object-type no-invalid-void-type no-mixed-enums no-namespace no-non-null-asserted-nullish-coalescing
      no-non-null-assertion no-require-imports no-unnecessary-condition no-unsafe-argument no-unsafe-assignment no-unsafe-call
      no-unsafe-enum-assignment no-unsafe-enum-comparison no-unsafe-function-type no-unsafe-member-access no-unsafe-return
      only-throw-error prefer-promise-reject-errors related-getter-setter-pairs require-await use-unknown-in-catch-callback-variable`,
    ),
    // Code that can be shorter.
    ...errors(
      'typescript',
      `no-inferrable-types no-unnecessary-boolean-literal-compare no-unnecessary-template-expression no-unnecessary-type-arguments
      no-unnecessary-type-assertion no-unnecessary-type-constraint no-unnecessary-type-conversion no-unnecessary-type-parameters
      non-nullable-type-assertion-style prefer-find prefer-for-of prefer-function-type prefer-includes prefer-optional-chain
      prefer-reduce-type-parameter prefer-regexp-exec prefer-return-this-type prefer-string-starts-ends-with unified-signatures`,
    ),
    // One spelling of many.
    ...errors(
      'typescript',
      `adjacent-overload-signatures array-type ban-tslint-comment class-literal-property-style consistent-generic-constructors
      consistent-indexed-object-style consistent-type-assertions consistent-type-definitions prefer-literal-enum-member`,
    ),
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    // `onClick={() => close()}` is plain; a promise that nobody awaits is still refused by no-floating-promises.
    'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    // React handlers and listeners may be async: their callers expect nothing back.
    'typescript/no-misused-promises': [
      'error',
      { checksVoidReturn: { arguments: false, attributes: false } },
    ],
    // An empty text falls through `||` on purpose: a name that is blank is no name.
    'typescript/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
    'typescript/restrict-plus-operands': [
      'error',
      {
        allowAny: false,
        allowBoolean: false,
        allowNullish: false,
        allowNumberAndString: false,
        allowRegExp: false,
      },
    ],
    'typescript/restrict-template-expressions': [
      'error',
      {
        allowAny: false,
        allowBoolean: false,
        allowNever: false,
        allowNullish: false,
        allowNumber: false,
        allowRegExp: false,
      },
    ],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true },
    ],
    'eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    'eslint/no-unused-expressions': [
      'error',
      { allowShortCircuit: false, allowTaggedTemplates: false, allowTernary: false },
    ],
    // The expressions that take control characters out of what people send have to name them.
    'eslint/no-control-regex': 'off',
    // `== null` says 'null or undefined' in one word.
    'eslint/eqeqeq': ['error', 'always', { null: 'ignore' }],
    'eslint/max-lines': ['error', { max: 280, skipBlankLines: false, skipComments: false }],
    'eslint/no-warning-comments': [
      'error',
      { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' },
    ],
  },
  overrides: [
    ...layerOverrides,
    {
      files: ['netlify/**'],
      rules: {
        // Only `env.ts` reads the environment of functions, with a schema.
        'eslint/no-restricted-properties': [
          'error',
          { object: 'process', property: 'env' },
          { object: 'Netlify', property: 'env' },
        ],
      },
    },
    {
      files: ['netlify/core/platform/env.ts'],
      rules: { 'eslint/no-restricted-properties': 'off' },
    },
    { files: ['src/domain/calendar-day.ts'], rules: { 'shop/days': 'off' } },
    {
      files: ['**/*.tsx', 'src/islands/**/*.ts', 'src/features/**/use-*.ts'],
      rules: errors('react', 'rules-of-hooks unsupported-syntax'),
    },
    {
      files: ['src/**'],
      rules: {
        'eslint/no-console': ['error', { allow: ['info', 'warn', 'error'] }],
        // They throw where site data is blocked: `browser-storage.ts` does not.
        'eslint/no-restricted-globals': ['error', 'localStorage', 'sessionStorage'],
        // It leaves letters that nobody sees: `typedLine` and `typedLines` do not.
        'eslint/no-restricted-properties': [
          'error',
          { object: 'z', property: 'trim' },
          { object: 'process', property: 'env' },
        ],
      },
    },
    {
      files: ['src/services/storage/browser-storage.ts', 'src/elements/inline/*.js'],
      rules: { 'eslint/no-restricted-globals': 'off' },
    },
    {
      files: ['tests/**/*.ts', 'src/features/**/*.test.ts'],
      rules: {
        // Tables of cases are long; a source file of this length would be two things.
        'eslint/max-lines': ['error', { max: 450, skipBlankLines: false, skipComments: false }],
        // `expect(mock.method)` hands a method over to be looked at, not to be called.
        'typescript/unbound-method': 'off',
        // The order of these values does not matter, only that they have one.
        'typescript/require-array-sort-compare': 'off',
      },
    },
  ],
});
