import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium } from './tests/browser/chromium.ts';

// Workers load this file again: what the first one chose is handed on through the environment.
process.env['PORT'] ??= '8990';
process.env['SHOP_DATA_DIR'] ??= mkdtempSync(join(tmpdir(), 'shop-browser-'));
const url = `http://localhost:${process.env['PORT']}`;

/** Browser tests: the built site on the embedded stack, on a phone's and a desktop's viewport. */
export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  forbidOnly: process.env['CI'] !== undefined,
  fullyParallel: true,
  workers: 2,
  // A second try tells what is broken from what was starved of processor; it is listed as flaky, and to be looked at.
  retries: 1,
  // Two busy cores make everything slow at once: a limit is for what hangs.
  timeout: 150_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    baseURL: url,
    trace: 'retain-on-failure',
    launchOptions: {
      ...(findChromium() === null ? {} : { executablePath: findChromium() ?? '' }),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        // Drawn by the processor either way; without this through a simulated graphics card, at several times the cost.
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  projects: [
    // The owner works on a phone: on a desktop their page is opened, and used with the keyboard alone.
    { name: 'desktop', testIgnore: /admin-(?!products-keyboard)/u, use: { viewport: { width: 1440, height: 900 } } },
    { name: 'phone', use: { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true } },
  ],
  webServer: {
    command: 'node local/start.ts',
    url: `${url}/local/health`,
    timeout: 240_000,
    // A stack that already runs on the port is used as it is: faster when one works on a test.
    reuseExistingServer: process.env['CI'] === undefined,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});
