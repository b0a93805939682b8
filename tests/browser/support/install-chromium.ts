import { spawnSync } from 'node:child_process';
import { findChromium } from './chromium.ts';

/*
 * Sees to it that there is a Chromium: one that is here, Playwright's download, or Debian's package when we may
 * install it. Says so and fails when none of these works.
 */
const steps: readonly (readonly [string, readonly string[]])[] = [
  ['npx', ['playwright', 'install', 'chromium-headless-shell', 'chromium']],
  ...(process.getuid?.() === 0
    ? ([
        ['apt-get', ['update', '-qq']],
        ['apt-get', ['install', '-y', '-qq', 'chromium-headless-shell']],
        ['apt-get', ['install', '-y', '-qq', 'chromium']],
      ] as const)
    : []),
];

for (const [command, parameters] of steps) {
  if (findChromium() !== null) break;
  console.log(`No Chromium found; trying: ${command} ${parameters.join(' ')}`);
  spawnSync(command, parameters, { stdio: ['ignore', 'inherit', 'inherit'], timeout: 300_000 });
}

const found = findChromium();
if (found === null) {
  console.error(
    'The browser tests need Chromium, and none was found or could be installed. Install it (on Debian as root: ' +
      '`apt-get install chromium`; elsewhere `npx playwright install chromium`) or set CHROMIUM_PATH.',
  );
  process.exit(1);
}
console.log(`Browser tests run in ${found}`);
