import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './shop.ts';

/** Resolves when nothing fades and nothing is loading: half-drawn colours are no finding, and a spinner is no page. */
async function isAtRest(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"]:not(button)') === null &&
      ![...document.querySelectorAll('[role="status"] > .spinner')].some((spinner) =>
        spinner.checkVisibility(),
      ) &&
      // What follows the scroll position never ends, and moves nothing while nobody scrolls.
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
  // The shop has no frames: the mode that goes through them opens a page for each run.
  // Without the lists of what passed, and without fetching the style sheets again, a run costs half.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false });
  if (dialog) axe.include('dialog[open]');
  const { violations, passes } = await axe
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const checked = [...passes, ...violations].map(({ id }) => id);
  expect(checked, `axe checked text in ${state}`).toContain('color-contrast');
  if (dialog) expect(checked, `axe checked buttons in ${state}`).toContain('button-name');
  const findings = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
  expect(findings, `axe on ${state}`).toEqual([]);
}
