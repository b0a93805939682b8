import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './shop.ts';

/** Expects no finding of axe on the page as it stands; in its open dialog alone when there is one, for the rest is inert. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  const dialog = (await page.locator('dialog[open]').count()) > 0;
  // The shop has no frames: the mode that goes through them opens a page for each run.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (dialog) axe.include('dialog[open]');
  const { violations } = await axe
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  expect(findings, `axe on ${state}`).toEqual([]);
}
