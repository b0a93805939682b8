import { devices, type Locator, type Page } from '@playwright/test';
import { launchChromium, withStack, type EmbeddedStack } from './embedded-stack.ts';
import { slowDown } from './slow-phone.ts';

/** A person's day on a 360 px phone with a processor four times slower, counted in taps and waits. */
export interface Day {
  stack: EmbeddedStack;
  page: Page;
  /** Find the first visible one of a name, on the page or in a part of it. */
  button: (name: string | RegExp, part?: Locator) => Locator;
  link: (name: string | RegExp) => Locator;
  field: (label: string | RegExp, part?: Locator) => Locator;
  toast: (text: string) => Locator;
  /** Runs a task and prints its taps, fields, waits and slowest event as a row of a table. */
  task: (name: string, work: () => Promise<void>) => Promise<void>;
  /** A tap, and the time until what it was for is on the screen, or off it. */
  tap: (control: Locator, until: Locator, state?: 'visible' | 'hidden') => Promise<void>;
  type: (field: Locator, text: string) => Promise<void>;
  /** Chooses an option of a list, which takes two taps. */
  choose: (list: Locator, option: string | { index: number }) => Promise<void>;
  /** So many taps, and the time until `work` ends. */
  wait: (taps: number, work: () => Promise<unknown>) => Promise<void>;
}

declare global {
  interface Window {
    noteEvent: (ms: number) => void;
  }
}

/** Reports the time of each press and key to the frame with the answer: Event Timing, in steps of 8 ms, from 16 ms on. */
function observeEvents(): void {
  const threshold = { durationThreshold: 16 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ((entry as PerformanceEventTiming).interactionId > 0) window.noteEvent(entry.duration);
  }).observe({ type: 'event', ...threshold });
}

/** Starts a shop on a data folder of its own and a phone that visits it, and prints the table of the day. */
export const spendDay = (work: (day: Day) => Promise<void>): Promise<void> =>
  withStack(async (stack) => {
    const browser = await launchChromium();
    const page = await browser.newPage({
      ...devices['Pixel 7'],
      viewport: { width: 360, height: 780 },
      baseURL: stack.origin,
    });
    await slowDown(await page.context().newCDPSession(page));

    let [taps, typed, longest, slowest] = [0, 0, 0, 0];
    await page.exposeBinding('noteEvent', (_page, ms: number) => {
      slowest = Math.max(slowest, ms);
    });
    await page.addInitScript(observeEvents);

    const since = (began: number): number => (performance.now() - began) / 1000;
    const wait: Day['wait'] = async (count, awaited) => {
      taps += count;
      const began = performance.now();
      await awaited();
      longest = Math.max(longest, since(began));
    };
    const find = (role: 'button' | 'link', name: string | RegExp, part?: Locator): Locator =>
      (part ?? page)
        .getByRole(role, { name, exact: typeof name === 'string' })
        .filter({ visible: true })
        .first();
    console.log(
      '| task | taps | fields | longest wait | in all | slowest event |\n|---|---|---|---|---|---|',
    );
    await work({
      stack,
      page,
      wait,
      button: (name, part) => find('button', name, part),
      link: (name) => find('link', name),
      field: (label, part) => (part ?? page).getByLabel(label, { exact: true }),
      toast: (text) => page.locator('.toast').filter({ hasText: text }).first(),
      async task(name, steps) {
        [taps, typed, longest, slowest] = [0, 0, 0, 0];
        const began = performance.now();
        await steps();
        const times = `${longest.toFixed(1)} s | ${since(began).toFixed(1)} s | ${String(slowest)} ms`;
        console.log(`| ${name} | ${String(taps)} | ${String(typed)} | ${times} |`);
      },
      tap: (control, until, state = 'visible') =>
        wait(1, async () => {
          await control.tap();
          await until.waitFor({ state });
        }),
      async type(field, text) {
        typed += 1;
        await field.fill('');
        await field.pressSequentially(text);
      },
      async choose(list, option) {
        taps += 2;
        await list.selectOption(option);
      },
    }).finally(() => browser.close());
  });
