import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, devices, type Locator, type Page } from '@playwright/test';
import { findChromium } from '../browser/support/chromium.ts';
import { startEmbeddedStack } from './embedded-stack.ts';

/** A person's day on a 360 px phone with a processor four times slower, counted in taps and waits. */
export interface Day {
  stack: Awaited<ReturnType<typeof startEmbeddedStack>>;
  page: Page;
  printHead: () => void;
  /** Runs a task and prints its taps, fields and waits as a row of a table. */
  task: (name: string, work: () => Promise<void>) => Promise<void>;
  /** A tap, and the time until what it was for is on the screen, or off it. */
  tap: (control: Locator, until: Locator, state?: 'visible' | 'hidden') => Promise<void>;
  type: (field: Locator, text: string) => Promise<void>;
  /** Chooses an option of a list, which takes two taps. */
  choose: (list: Locator, option: string) => Promise<void>;
  /** So many taps, and the time until `work` ends. */
  wait: (taps: number, work: () => Promise<unknown>) => Promise<void>;
  end: () => Promise<void>;
}

/** Starts a shop on a data folder of its own and a phone that visits it. */
export async function startDay(): Promise<Day> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-day-'));
  const stack = await startEmbeddedStack(dataDir);
  const browser = await chromium.launch({
    ...(findChromium() === null ? {} : { executablePath: findChromium() ?? '' }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const context = await browser.newContext({
    ...devices['Pixel 7'],
    viewport: { width: 360, height: 780 },
    baseURL: stack.origin,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const throttled = await context.newCDPSession(page);
  await throttled.send('Emulation.setCPUThrottlingRate', { rate: 4 });

  let [taps, typed, longest] = [0, 0, 0];
  const wait: Day['wait'] = async (count, work) => {
    taps += count;
    const began = performance.now();
    await work();
    longest = Math.max(longest, performance.now() - began);
  };
  return {
    stack,
    page,
    wait,
    printHead: () => {
      console.log('| task | taps | fields | longest wait | in all |\n|---|---|---|---|---|');
    },
    async task(name, work) {
      [taps, typed, longest] = [0, 0, 0];
      const began = performance.now();
      await work();
      console.log(
        `| ${name} | ${String(taps)} | ${String(typed)} | ${(longest / 1000).toFixed(1)} s | ${((performance.now() - began) / 1000).toFixed(1)} s |`,
      );
    },
    tap: (control, until, state = 'visible') =>
      wait(1, async () => {
        await control.tap();
        await until.waitFor({ state });
      }),
    async type(field, text) {
      typed += 1;
      await field.fill(text);
    },
    async choose(list, option) {
      taps += 2;
      await list.selectOption(option);
    },
    async end() {
      await browser.close();
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
