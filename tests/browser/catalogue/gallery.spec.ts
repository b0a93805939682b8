import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { line, touch } from '#tests/browser/support/touch.ts';
import { addressOf } from './product-rows.ts';

/** The page of a product with two images, left alone so far: nothing has been touched, scrolled or pressed on it. */
async function openProduct(page: Page): Promise<{ slides: Locator; thumbs: Locator }> {
  await page.goto(await addressOf('Manga Muthu Earrings'));
  await page.evaluate(async () => customElements.whenDefined('product-gallery'));
  return {
    slides: page.getByRole('list', { name: /^Pictures of / }),
    thumbs: page.getByRole('list', { name: 'Choose a picture' }).getByRole('button'),
  };
}

/** Which image stands in the middle of the gallery. */
const shownImage = async (slides: Locator): Promise<number> =>
  slides.evaluate((list) => {
    const box = list.getBoundingClientRect();
    const middle = box.left + box.width / 2;
    return [...list.children].findIndex((slide) => {
      const { left, right, width } = slide.getBoundingClientRect();
      return width > 0 && left <= middle && right >= middle;
    });
  });

const widthOf = async (image: Locator): Promise<number> =>
  image.evaluate((image) => image.getBoundingClientRect().width);

test('a swipe shows the next image and snaps to it, even as the first touch of the page', async ({
  page,
}) => {
  const { slides, thumbs } = await openProduct(page);
  const box = (await slides.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const y = box.y + box.height / 2;
  await touch(page, line({ x: box.x + box.width * 0.8, y }, { x: box.x + box.width * 0.2, y }));
  await expect.poll(async () => shownImage(slides)).toBe(1);
  await expect(thumbs.nth(1)).toHaveAttribute('aria-current', 'true');
  await expect(thumbs.nth(0)).not.toHaveAttribute('aria-current', 'true');
  // Snapped: the second image lies exactly over the gallery.
  await expect
    .poll(async () => slides.evaluate((list) => Math.abs(list.scrollLeft - list.clientWidth)))
    .toBeLessThan(2);
  await touch(page, line({ x: box.x + box.width * 0.2, y }, { x: box.x + box.width * 0.8, y }));
  await expect.poll(async () => shownImage(slides)).toBe(0);
  await expect(thumbs.nth(0)).toHaveAttribute('aria-current', 'true');
});

test('thumbnails and arrow keys choose the image, and stop at both ends', async ({ page }) => {
  const { slides, thumbs } = await openProduct(page);
  await thumbs.nth(1).click();
  await expect.poll(async () => shownImage(slides)).toBe(1);
  await expect(thumbs.nth(1)).toHaveAttribute('aria-current', 'true');

  await slides.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => shownImage(slides)).toBe(0);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('End');
  await expect.poll(async () => shownImage(slides)).toBe(1);
  await page.keyboard.press('ArrowRight');
  await expect(thumbs.nth(1)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Home');
  await expect.poll(async () => shownImage(slides)).toBe(0);

  await thumbs.nth(0).focus();
  await page.keyboard.press('ArrowRight');
  await expect(thumbs.nth(1)).toBeFocused();
  await expect.poll(async () => shownImage(slides)).toBe(1);
});

test(
  'on a desktop the image stays in sight beside the words, and a thumbnail shows its image',
  { tag: '@desktop' },
  async ({ page }) => {
    await page.goto(await addressOf('Palakka Mala'));
    const slides = page.getByRole('list', { name: /^Pictures of / });
    await expect(slides.getByRole('img')).toHaveCount(3);
    expect(await widthOf(slides.getByRole('img').first())).toBeGreaterThan(500);
    const third = page.getByRole('button', { name: 'Show picture 3' });
    await third.click();
    await expect.poll(async () => shownImage(slides)).toBe(2);
    await expect(third).toHaveAttribute('aria-current', 'true');
    const add = page.getByRole('button', { name: 'Add to Cart', exact: true }).first();
    await expect(add).toBeInViewport();
  },
);

test('the first key pressed on the page already turns to the next image', async ({ page }) => {
  const { slides } = await openProduct(page);
  await slides.evaluate((list: HTMLElement) => {
    list.focus();
  });
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => shownImage(slides)).toBe(1);
});

/** The image of the large view that is in sight, and the place that the counter gives it. */
const largeView = (page: Page) => {
  const dialog = page.getByRole('dialog');
  return {
    dialog,
    image: dialog.locator(
      '.pswp__item[aria-hidden=false] img.pswp__img:not(.pswp__img--placeholder)',
    ),
    counter: dialog.locator('.pswp__counter'),
  };
};

test(
  'an image opens large, arrows turn to the next, a press comes nearer, and Escape gives the focus back',
  { tag: '@desktop' },
  async ({ page }) => {
    const { slides } = await openProduct(page);
    const link = slides.getByRole('link', { name: 'Enlarge picture 1' });
    await link.focus();
    await page.keyboard.press('Enter');
    const { dialog, image, counter } = largeView(page);
    await expect(dialog).toBeVisible();
    await expect(counter).toHaveText('1 / 2');
    await expect
      .poll(async () => image.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThanOrEqual(840);
    await expectAccessible(page, 'the large view');

    const before = await widthOf(image);
    await image.click();
    await expect.poll(async () => widthOf(image)).toBeGreaterThan(before * 1.3);

    await page.keyboard.press('ArrowRight');
    await expect(counter).toHaveText('2 / 2');
    await page.keyboard.press('ArrowRight');
    await expect(counter).toHaveText('2 / 2');

    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(link).toBeFocused();
    await expect.poll(async () => shownImage(slides)).toBe(1);
  },
);

test('the large view turns with a swipe, two fingers pinch it, and the page itself stays as it was', async ({
  page,
}) => {
  const { slides } = await openProduct(page);
  await slides.getByRole('link', { name: 'Enlarge picture 1' }).tap();
  const { dialog, image, counter } = largeView(page);
  await expect(image).toBeVisible();
  await expect(counter).toHaveText('1 / 2');
  await touch(page, line({ x: 300, y: 390 }, { x: 40, y: 390 }));
  await expect(counter).toHaveText('2 / 2');

  await expect(image).toBeVisible();
  const before = await widthOf(image);
  const middle = { x: 180, y: 390 };
  const left = (distance: number) => ({ x: middle.x - distance, y: middle.y });
  const right = (distance: number) => ({ x: middle.x + distance, y: middle.y });
  await touch(page, line(left(40), left(120)), line(right(40), right(120)));
  await expect.poll(async () => (await widthOf(image)) / before).toBeGreaterThan(2);
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1);

  await dialog.getByRole('button', { name: 'Close' }).tap();
  await expect(dialog).toHaveCount(0);
});

test('without JavaScript the images can be swiped, and a press opens the large one', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  await page.goto(await addressOf('Chandrika Jimikki'));
  await expect(page.getByRole('link', { name: 'Enlarge picture 2' })).toBeVisible();
  await page.getByRole('link', { name: 'Enlarge picture 1' }).click();
  await expect(page).toHaveURL(/\/\.netlify\/images\?/u);
  await context.close();
});
