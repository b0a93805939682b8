import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Rules, SQL and endpoints. The browser tests are Playwright's (`playwright.config.ts`). */
export default defineConfig({
  test: {
    environment: 'node',
    // Tests of functions wait half of their time: two more workers take up what one for each core leaves.
    maxWorkers: availableParallelism() + 2,
    // Node counts the stripping of types as experimental; the warning would drown real ones.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // The lowest cost of a password's hash in the embedded auth service.
    // Products of the tests, which go with any shop.
    env: { LITE_AUTH_BCRYPT_COST: '4', SHOP_CATALOGUE: 'tests/catalogue' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts', 'src/features/**/*.test.ts'],
          exclude: [
            'tests/unit/project/{own-shop,upgrade}.test.ts',
            'tests/unit/shop-folder/{failed-build,second-shop}.test.ts',
          ],
          setupFiles: ['tests/setup.ts'],
          // Properties and the linter's first run take seconds on a busy machine; nothing here waits.
          testTimeout: 30_000,
          // Each file loads its own modules: a store that another file mounted would outlive it by a second.
          isolate: true,
          restoreMocks: true,
          unstubGlobals: true,
          // The stores take hold of `localStorage` as they load: `vi.resetModules` must reach them.
          server: { deps: { inline: [/nanostores/] } },
        },
      },
      {
        extends: true,
        test: {
          name: 'functions',
          include: [
            'tests/functions/**/*.test.ts',
            'tests/features/**/*.functions.test.ts',
            'tests/stack/**/*.test.ts',
          ],
          exclude: ['tests/functions/platform/platform.test.ts'],
          setupFiles: ['tests/sample-settings.ts', 'tests/setup.ts'],
          // One database, mail server and payment provider for all files of a worker, emptied between them.
          globalSetup: [
            'tests/functions/support/feature-lists.ts',
            'tests/functions/support/database-image.ts',
          ],
          isolate: false,
          // Ends a test that hangs. The slowest takes six seconds alone, and 30 on a machine with ten times the work.
          testTimeout: 90_000,
          // The first file of a worker starts its servers.
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          // Functions as a deploy bundles them, where Netlify's packages want the globals of a process to themselves; and
          // upgrades, builds and another shop in a copy of the sources.
          name: 'platform',
          include: [
            'tests/functions/platform/platform.test.ts',
            'tests/unit/project/{own-shop,upgrade}.test.ts',
            'tests/unit/shop-folder/{failed-build,second-shop}.test.ts',
          ],
          testTimeout: 30_000,
          // They copy the sources, which takes seconds on a busy disk.
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          // Money and stock under faults, see docs/reliability.md. Replaces `fetch` in its process.
          name: 'simulation',
          include: ['tests/simulation/**/*.test.ts'],
          globalSetup: [
            'tests/functions/support/feature-lists.ts',
            'tests/functions/support/database-image.ts',
          ],
          setupFiles: ['tests/sample-settings.ts', 'tests/setup.ts'],
          // Each file opens a world of its own, and puts back what it replaced.
          isolate: false,
          testTimeout: 60_000,
          // The first file loads its database.
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['tests/database/**/*.test.ts', 'tests/features/**/*.database.test.ts'],
          // One real PostgreSQL for all files, a database of its own for each.
          globalSetup: ['tests/database/support/postgres-server.ts'],
          setupFiles: ['tests/sample-settings.ts'],
          isolate: false,
          // Ends a test that hangs. The slowest takes three seconds alone, and 30 on a machine with ten times the work.
          testTimeout: 90_000,
        },
      },
    ],
  },
});
