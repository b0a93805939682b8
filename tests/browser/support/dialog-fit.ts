import type { Locator, Page } from '@playwright/test';
import { untilDrawn } from './page-state.ts';
import { expect } from './shop.ts';

/** Widths of small phones, in CSS pixels. */
const phoneWidths = [320, 360, 412] as const;
const height = 780;
/** The part of the screen above a keyboard. The layout viewport keeps its height, as on Android and iOS. */
const aboveKeyboard = 400;

/** Simulates a keyboard: the visual viewport shrinks and says so. 0 closes it. */
async function openKeyboard(page: Page, visible: number): Promise<void> {
  await page.evaluate((pixels) => {
    const viewport = window.visualViewport;
    if (viewport === null) throw new Error('This browser has no visual viewport');
    if (pixels === 0) Reflect.deleteProperty(viewport, 'height');
    else Object.defineProperty(viewport, 'height', { configurable: true, value: pixels });
    viewport.dispatchEvent(new Event('resize'));
  }, visible);
}

/** The buttons of a dialog of which a part is hidden, covered or off the visible screen when they are scrolled to. */
async function hiddenButtons(dialog: Locator, visible: number): Promise<string[]> {
  return dialog.evaluate((element, bottom) => {
    const inset = 2;
    const findings: string[] = [];
    const buttons = [...element.querySelectorAll('button')].filter((button) =>
      button.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
    );
    if (buttons.length === 0) findings.push('no buttons at all');
    if (element.querySelector('form') !== null && !buttons.some(({ type }) => type === 'submit'))
      findings.push('a form without a button that sends it');
    for (const button of buttons) {
      button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const { left, right, top, bottom: end } = button.getBoundingClientRect();
      const name = button.ariaLabel ?? button.textContent.trim();
      const box = [left, top, right, end].map(Math.round).join(' ');
      if (left < 0 || top < 0 || right > window.innerWidth + 0.5 || end > bottom + 0.5)
        findings.push(`'${name}' leaves the screen: ${box}`);
      const corners = [
        [left + inset, top + inset],
        [right - inset, top + inset],
        [left + inset, end - inset],
        [right - inset, end - inset],
      ] as const;
      const covered = corners.some(([x, y]) => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && hit !== button && !button.contains(hit) && !hit.contains(button);
      });
      if (covered) findings.push(`'${name}' is covered: ${box}`);
    }
    return findings;
  }, visible);
}

/** Expects that the whole of every button of the open dialog can be brought on screen at each width, with and without a keyboard. */
export async function expectButtonsFit(
  page: Page,
  dialog: Locator,
  { keyboard = true } = {},
): Promise<void> {
  await expect(dialog).toBeVisible();
  for (const width of phoneWidths) {
    await page.setViewportSize({ width, height });
    for (const visible of keyboard ? [height, aboveKeyboard] : [height]) {
      await openKeyboard(page, visible === height ? 0 : visible);
      await untilDrawn(page);
      const state = `${String(width)} px wide, ${String(visible)} px visible`;
      expect(await hiddenButtons(dialog, visible), state).toEqual([]);
    }
    await openKeyboard(page, 0);
  }
}

/** Opens a dialog, checks its buttons and closes it again. */
export async function openAndCheck(
  page: Page,
  name: RegExp | string,
  open: () => Promise<void>,
): Promise<void> {
  await open();
  const dialog = page.getByRole('dialog', { name });
  await expectButtonsFit(page, dialog);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

/** Presses the first button of this name. */
export const press = (page: Page, name: RegExp | string) => async (): Promise<void> =>
  page.getByRole('button', { name }).first().click();
