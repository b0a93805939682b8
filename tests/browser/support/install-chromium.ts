import { spawnSync } from 'node:child_process';
import { findChromium } from './chromium.ts';

/*
 * Finds a Chromium or Chrome, or installs one: Playwright's download, or Debian's package when we are root. Otherwise
 * prints one sentence and exits with code 1. The output of the installers is not shown: they fail without a network,
 * and then that sentence is what helps. A network that never answers is given up after seconds, not minutes.
 */
const connectionSeconds = 5;
const apt = [
  '-o',
  'Acquire::Retries=0',
  '-o',
  `Acquire::http::Timeout=${String(connectionSeconds)}`,
];
const named = process.env['CHROMIUM_PATH'];
const steps: readonly (readonly [string, readonly string[]])[] = [
  ['npx', ['playwright', 'install', 'chromium-headless-shell', 'chromium']],
  ...(process.getuid?.() === 0
    ? ([
        ['apt-get', ['update', '-qq', ...apt]],
        ['apt-get', ['install', '-y', '-qq', ...apt, 'chromium-headless-shell']],
        ['apt-get', ['install', '-y', '-qq', ...apt, 'chromium']],
      ] as const)
    : []),
];

if (!named && findChromium() === null) {
  console.log('No Chromium found: this installs one …');
  for (const [command, parameters] of steps) {
    if (findChromium() !== null) break;
    spawnSync(command, parameters, {
      stdio: 'ignore',
      timeout: 300_000,
      env: {
        ...process.env,
        PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: String(connectionSeconds * 1000),
      },
      shell: process.platform === 'win32',
    });
  }
}

const found = findChromium();
if (found === null) {
  console.error(
    named
      ? `CHROMIUM_PATH is ${named}, and there is no such file.`
      : 'The browser tests need Chromium or Chrome, and none was found or could be installed: install one (on Debian ' +
          'as root `apt-get install chromium`, elsewhere `npx playwright install chromium`) or set CHROMIUM_PATH.',
  );
  process.exit(1);
}
console.log(`Browser tests run in ${found}`);
