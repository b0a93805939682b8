import type { Page } from '@playwright/test';
import { filterButton } from '#tests/browser/support/listing-fields.ts';
import { untilDrawn } from '#tests/browser/support/page-state.ts';
import { twoFrames } from '#tests/browser/support/traffic.ts';
import { expect, test } from '#tests/browser/support/shop.ts';

interface Motion {
  /** The animated properties and the element. */
  name: string;
  /** Milliseconds from the start to the end. */
  duration: number;
}

/** Notes from the next page on what moves: opacity or a place that differs from one keyframe to another. */
async function watchMotion(page: Page): Promise<() => Promise<Motion[]>> {
  await page.addInitScript(() => {
    const seen = new Map<Animation, Motion>();
    const moving = ['opacity', 'transform', 'scale', 'translate', 'rotate'] as const;
    const note = () => {
      for (const animation of document.getAnimations()) {
        const { effect } = animation;
        if (!(effect instanceof KeyframeEffect) || animation.timeline !== document.timeline)
          continue;
        const frames = effect.getKeyframes();
        const changed = moving.filter(
          (property) => new Set(frames.map((frame) => frame[property] ?? 'none')).size > 1,
        );
        if (changed.length === 0) continue;
        const target = effect.target;
        seen.set(animation, {
          name: `${changed.join(', ')} of ${target?.localName ?? ''}.${target?.className.toString() ?? ''}`,
          duration: Number(effect.getComputedTiming().duration),
        });
      }
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    Object.assign(window, { motions: () => [...seen.values()] });
  });
  return async () => {
    // The next frame notes the motions that began since the last one. A busy machine draws it late.
    await twoFrames(page);
    return page.evaluate(() => (window as unknown as { motions: () => Motion[] }).motions());
  };
}

/** Opens the menu, presses a heart, shows a card's next image, and adds a product to the cart. The filter's dialog comes last. */
async function useShop(page: Page): Promise<void> {
  await page.goto('/shop');
  await untilDrawn(page);
  await page.getByLabel('Menu', { exact: true }).first().click();
  await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible();
  await page.getByLabel('Menu', { exact: true }).first().click();
  const card = page
    .getByRole('article')
    .filter({ has: page.locator('[data-thumb]:nth-child(3)') })
    .first();
  await card.getByRole('button', { name: /wishlist$/u }).hover();
  await page.mouse.down();
  await twoFrames(page);
  // A transition that is turned back halfway is shorter than its duration.
  await card
    .locator('wishlist-button svg')
    .evaluate(async (icon) => Promise.all(icon.getAnimations().map(({ finished }) => finished)));
  await page.mouse.up();
  await expect(page.locator('wishlist-button [aria-pressed="true"]')).not.toHaveCount(0);
  const shown = (): Promise<string> =>
    card
      .locator('picture img')
      .evaluate((image: HTMLImageElement) => (image.complete ? image.currentSrc : ''));
  const before = await shown();
  await card.locator('.card-thumbs').click();
  await expect(card.locator('[data-thumb]').nth(1)).toHaveAttribute('aria-pressed', 'true');
  // It moves as it comes, and the image CDN makes its size at the first request.
  await expect.poll(async () => ['', before].includes(await shown())).toBe(false);
  await page
    .getByRole('button', { name: /^Add to Cart: / })
    .first()
    .click();
  await expect(page.locator('.toast').filter({ hasText: 'Added to cart!' })).toBeVisible();
  await filterButton(page).click();
  await expect(page.locator('dialog[open]')).toBeVisible();
}

test('a visitor who wants less motion sees nothing move, not for a frame', async ({ page }) => {
  const motions = await watchMotion(page);
  await useShop(page);
  expect(await motions()).toEqual([]);
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });
  test('menu, message, heart, image and dialog move for 120 to 180 ms', async ({ page }) => {
    const motions = await watchMotion(page);
    await useShop(page);
    const found = await motions();
    const names = found.map(({ name }) => name);
    for (const part of [/menu-sheet/u, /toast/u, /opacity of img/u, /scale of svg/u, /dialog/u])
      expect(names).toContainEqual(expect.stringMatching(part));
    for (const { name, duration } of found) {
      expect(duration, name).toBeGreaterThanOrEqual(120);
      expect(duration, name).toBeLessThanOrEqual(180);
    }
  });

  test('from a product back to the listing by a link, the image shrinks into its card', async ({
    page,
  }) => {
    // Notes the cards whose image takes part when a page is revealed, before its script files can have come.
    await page.addInitScript(() => {
      window.addEventListener('pagereveal', ({ viewTransition }) => {
        void viewTransition?.ready.then(() => {
          const images = [...document.querySelectorAll<HTMLElement>('.card-image img')];
          const cards = images
            .filter(({ style }) => style.viewTransitionName === 'product')
            .map((image) => image.closest('a')?.pathname ?? '');
          sessionStorage.setItem('morphed', cards.join());
        });
      });
    });
    await page.goto('/shop');
    const card = page.locator('.card-image').nth(1);
    const path = (await card.getAttribute('href')) ?? '';
    await card.click();
    await page.waitForURL(`**${path}`);
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Back to / })
      .click();
    await page.waitForURL('**/shop?category=*');
    await expect
      .poll(async () => page.evaluate(() => sessionStorage.getItem('morphed')))
      .toBe(path);
  });

  test('a browser without the Navigation API changes pages without an error', async ({ page }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'navigation');
      window.addEventListener('pagereveal', ({ viewTransition }) => {
        if (viewTransition) sessionStorage.setItem('revealed', location.pathname);
      });
    });
    await page.goto('/');
    await page.getByRole('link', { name: 'Shop Collection' }).click();
    await page.waitForURL('**/shop');
    expect(await page.evaluate(() => 'navigation' in window), 'it does not').toBe(false);
    await expect
      .poll(async () => page.evaluate(() => sessionStorage.getItem('revealed')))
      .toBe('/shop');
  });
});
