import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import base from '../../playwright.config.ts';

const root = resolve(import.meta.dirname, '../..');
const { webServer } = base;
if (webServer === undefined || Array.isArray(webServer))
  throw new Error('The browser tests run on one stack');

/** Browser tests that take minutes, for `npm run bench:reliability`: on a stack of their own, as the usual ones. */
export default defineConfig({
  ...base,
  testDir: resolve(import.meta.dirname, 'reliability'),
  testMatch: '**/*.spec.ts',
  outputDir: resolve(root, 'test-results'),
  globalSetup: resolve(root, 'tests/browser/support/prepare-stack.ts'),
  timeout: 1_800_000,
  workers: 1,
  projects: [{ name: 'desktop', use: { viewport: { width: 1440, height: 900 } } }],
  webServer: { ...webServer, cwd: root },
});
