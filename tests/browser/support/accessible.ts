import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './shop.ts';

/** Resolves when nothing fades any more and no list says that it is busy: half-drawn colours are no finding. */
async function isAtRest(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"]:not(button)') === null &&
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

/** Expects no finding of axe on the page once it is at rest; in its open dialog alone when there is one, for the rest is inert. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  await isAtRest(page);
  const dialog = (await page.locator('dialog[open]').count()) > 0;
  // The shop has no frames: the mode that goes through them opens a page for each run.
  // Without the lists of what passed, and without fetching the style sheets again, a run costs half.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false });
  if (dialog) axe.include('dialog[open]');
  const { violations } = await axe
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const findings = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
  expect(findings, `axe on ${state}`).toEqual([]);
}
