import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { findPackagedChromium } from './packaged-chromium.ts';

// The headless shell comes first: the same engine without a desktop browser around it, which takes less processor time.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** Where macOS and Windows keep them: outside of the PATH. */
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const folder = process.env[name];
    return folder ? [join(folder, 'Google/Chrome/Application/chrome.exe')] : [];
  }),
];

/**
 * The path of a Chromium or Chrome to test with: `CHROMIUM_PATH`, an installed one, Playwright's own, or the one that
 * `install-chromium.ts` fetched. Null when there is none.
 */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return statSync(named, { throwIfNoEntry: false })?.isFile() === true ? named : null;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return (
    [...onPath, ...places, chromium.executablePath()].find((path) => existsSync(path)) ??
    findPackagedChromium()
  );
}
