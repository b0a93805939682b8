import { defineConfig } from 'vitest/config';

/** Rules, SQL and endpoints. The browser tests are Playwright's (`playwright.config.ts`). */
export default defineConfig({
  test: {
    environment: 'node',
    // Node counts the stripping of types as experimental; the warning would drown real ones.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          setupFiles: ['tests/setup.ts'],
          // Properties and the linter's first run take seconds on a busy machine; nothing here waits.
          testTimeout: 30_000,
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
          include: ['tests/functions/**/*.test.ts', 'tests/stack/**/*.test.ts'],
          setupFiles: ['tests/setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['tests/database/**/*.test.ts'],
          exclude: ['tests/database/**/*.race.test.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'races',
          include: ['tests/database/**/*.race.test.ts'],
          // A real PostgreSQL is started for a file, and races need the cores to themselves.
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
