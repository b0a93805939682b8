import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './shop.ts';

const require = createRequire(import.meta.url);
/** axe as one small script. The file that @axe-core/playwright injects is twice as long, and each page has to parse it. */
const axeSource = readFileSync(
  createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

type Results = Awaited<ReturnType<AxeBuilder['analyze']>>;
interface AxeWindow extends Window {
  axe: { run: (context: Node | string, options: object) => Promise<Results> };
}

/** Resolves when nothing fades and nothing is loading: half-drawn colours are no finding, and a spinner is no page. */
async function isAtRest(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"]:not(button)') === null &&
      ![...document.querySelectorAll('[role="status"] > .spinner')].some((spinner) =>
        spinner.checkVisibility(),
      ) &&
      // A scroll-driven animation never ends, and moves nothing while nobody scrolls.
      document
        .getAnimations()
        .every(
          (animation) =>
            animation.timeline !== document.timeline ||
            animation.playState !== 'running' ||
            animation.effect?.getComputedTiming().iterations === Infinity,
        ),
  );
}

/**
 * Expects no finding of axe on the page once it is at rest. While a dialog is open, only the dialog is checked: the rest is
 * inert. Fails when axe measured no text, or no button of the dialog.
 */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  await isAtRest(page);
  const dialog = (await page.locator('dialog[open]').count()) > 0;
  await page.evaluate(`${axeSource};0`);
  const { checked, findings } = await page.evaluate(
    async (context) => {
      const { axe } = window as unknown as AxeWindow;
      const { violations, passes } = await axe.run(context ?? document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        // Without the lists of what passed, and without fetching the style sheets again, a run costs half.
        resultTypes: ['violations'],
        preload: false,
        // The shop has no frames of its own.
        iframes: false,
      });
      return {
        checked: [...passes, ...violations].map(({ id }) => id),
        findings: violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
        ),
      };
    },
    dialog ? 'dialog[open]' : null,
  );
  expect(checked, `axe checked text in ${state}`).toContain('color-contrast');
  if (dialog) expect(checked, `axe checked buttons in ${state}`).toContain('button-name');
  expect(findings, `axe on ${state}`).toEqual([]);
}
