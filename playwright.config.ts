import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium } from './tests/browser/support/chromium.ts';

/** A port that nobody listens on at this moment. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}

/*
 * A stack of its own, on a free port and with a fresh data folder, so that two runs never meet. With PORT and
 * SHOP_DATA_DIR set, a stack that already runs there is used as it is: faster when one works on a test. Workers load
 * this file again: what the first one chose is handed on through the environment.
 */
const named = process.env['PORT'] !== undefined && process.env['SHOP_DATA_DIR'] !== undefined;
process.env['PORT'] ??= String(await freePort());
if (process.env['SHOP_DATA_DIR'] === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'shop-browser-'));
  process.env['SHOP_DATA_DIR'] = folder;
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
}

// The lowest cost of a password's hash: the embedded auth service computes it on the thread that answers every request.
process.env['LITE_AUTH_BCRYPT_COST'] ??= '4';
// Products of the tests, which go with any shop.
process.env['SHOP_CATALOGUE'] ??= 'tests/catalogue';

/** The program that starts the browser, through `chromium.sh` where there is a shell. Null when none is found: Playwright's default. */
function chromiumLauncher(): string | null {
  const chromium = findChromium();
  if (chromium === null || process.platform === 'win32') return chromium;
  process.env['SHOP_CHROMIUM'] = chromium;
  return join(import.meta.dirname, 'tests/browser/support/chromium.sh');
}
const launcher = chromiumLauncher();
const url = `http://localhost:${process.env['PORT']}`;

const phone = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true };
const ownStack = /\.own-stack\.spec\.ts$/u;
const builds = /admin-publish\.spec\.ts$/u;
const reviews = /reviews\.spec\.ts$/u;
const outage = /database-outage\.spec\.ts$/u;

/** Browser tests: the built site on the embedded stack, on a phone's and a desktop's viewport. */
export default defineConfig({
  testDir: 'tests',
  testMatch: ['browser/**/*.spec.ts', 'features/**/*.spec.ts'],
  outputDir: 'test-results',
  forbidOnly: process.env['CI'] !== undefined,
  fullyParallel: true,
  // Tests wait for answers and animations: a third one takes up what two leave of two cores.
  workers: 3,
  retries: 0,
  // Ends a test that hangs. Several times what the slowest test takes alone, so that a slow or busy machine fails none.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  globalSetup: './tests/browser/support/prepare-stack.ts',
  reporter: [['list']],
  use: {
    baseURL: url,
    // page.route() sees no request of a service worker. Tests of service workers allow them.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every test costs as much as the tests: `--trace on` makes one of a test that fails.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(launcher === null ? {} : { executablePath: launcher }),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        // Drawn by the processor either way; without this through a simulated graphics card, at several times the cost.
        '--disable-gpu',
        // Every page of a worker in one process: starting one for each costs an eighth of the whole run.
        '--renderer-process-limit=1',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  /*
   * Most tests mean the same at both widths and run on the phone, which most customers and the admin use. Tagged
   * '@desktop': on the desktop alone (wide layout, mouse, keyboard). Tagged '@every-width': on both. Files that start a
   * stack of their own come first: their tests run one after the other and mostly wait, so that at the end they would
   * run alone. What builds the site anew comes last: a build takes in whatever other tests have in the catalogue at that
   * moment. What stops the database for all is the very last.
   */
  projects: [
    { name: 'own-stack', testMatch: ownStack, use: phone },
    {
      name: 'phone',
      grepInvert: /@desktop/u,
      testIgnore: [ownStack, builds, reviews, outage],
      use: phone,
    },
    {
      name: 'desktop',
      grep: /@desktop|@every-width/u,
      testIgnore: [ownStack, builds, reviews, outage],
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'builds',
      testMatch: builds,
      dependencies: ['own-stack', 'phone', 'desktop'],
      use: phone,
    },
    // A shop with one true review shows the fixed stars nowhere any more.
    { name: 'reviews', testMatch: reviews, dependencies: ['builds'], use: phone },
    { name: 'outage', testMatch: outage, dependencies: ['reviews'], use: phone },
  ],
  webServer: {
    command: 'node local/start.ts',
    url: `${url}/local/health`,
    timeout: 180_000,
    // The stack ends with the run, however the run ends.
    env: { SHOP_PARENT_PID: String(process.pid) },
    reuseExistingServer: named && process.env['CI'] === undefined,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});
