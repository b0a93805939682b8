import { expect, type BrowserContext, type Page } from '@playwright/test';

/**
 * Notes down each message that comes on screen, in every page from now on. A message leaves after two seconds: on a
 * busy machine a test that looks at the screen may come too late for it.
 */
export async function recordToasts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shownToasts: shown });
    const note = (node: Node) => {
      if (node instanceof HTMLElement && node.matches('.toast') && node.checkVisibility())
        shown.push(node.innerText);
    };
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) addedNodes.forEach(note);
    }).observe(document, { childList: true, subtree: true });
  });
}

/** The messages that the present page has shown so far, oldest first. */
export async function shownToasts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => (window as unknown as { shownToasts: string[] }).shownToasts);
}

/** Expects that the present page has shown, or is about to show, one message with all of these words. */
export async function expectToast(page: Page, ...words: readonly string[]): Promise<void> {
  await expect(async () => {
    const shown = await shownToasts(page);
    expect(
      shown.some((text) => words.every((word) => text.includes(word))),
      `${words.join(' / ')} among: ${shown.join(' | ')}`,
    ).toBe(true);
  }).toPass({ timeout: 10_000 });
}
