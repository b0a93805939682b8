import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

// Headless shell first: the same engine without a desktop browser around it, which costs less of the processor.
const systemNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** The path of a Chromium to test with: `CHROMIUM_PATH`, Playwright's own, or a system one. Null when there is none. */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return existsSync(named) ? named : null;
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return (
    folders.flatMap((folder) => systemNames.map((name) => join(folder, name))).find(existsSync) ??
    null
  );
}
