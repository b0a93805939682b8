import type { Page } from '@playwright/test';
import { deliveryWindow, formatDeliveryWindow } from '#domain/checkout/delivery.ts';
import { isFreeEverywhere } from '#domain/checkout/shipping-charge.ts';
import { sizeGuideOf } from '#domain/catalogue/worn-by-size.ts';
import { seller } from '#settings/seller.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { untilScripted } from '#tests/browser/support/page-state.ts';
import { addressOf } from './product-rows.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { pin as sendsToOtherStates } from '#tests/browser/support/destination.ts';

const { shipping } = seller;

async function openProduct(page: Page, name: string): Promise<void> {
  await page.goto(await addressOf(name));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await untilScripted(page);
}

/** Days of the delivery as the page says them, e.g. 'Sat 28 Nov'. */
const dayPattern = /(?:Mon|Tue|Wed|Thu|Fri|Sat) \d{1,2} \w{3}/gu;

test('a PIN code shows the delivery days, free where the shop says so, and is remembered', async ({
  page,
}) => {
  // Such a seller's checkout refuses what is in no state, and what is in another one.
  test.skip(!sendsToOtherStates, 'this seller sends within the own state alone');
  // A Saturday evening in India; the date elsewhere does not matter.
  await page.clock.setFixedTime(new Date('2026-11-21T17:00:00Z'));
  await openProduct(page, 'Muthu Embrace Ring');
  const pin = page.getByLabel('Your PIN code');
  const answer = page.locator('#pin-answer');
  await expect(answer).toHaveAttribute('role', 'status');
  await pin.focus();
  await page.keyboard.type('682 016');
  await page.keyboard.press('Enter');
  await expect(answer).toContainText('To Kerala, 682016, if you order now:');
  const words = (carriage: string): string => {
    const days = deliveryWindow(new Date('2026-11-21T17:00:00Z'), shipping.processing, carriage);
    if (!days) throw new Error('The shop names no days');
    return formatDeliveryWindow(days);
  };
  const isFree = (state: string): boolean =>
    isFreeEverywhere(shipping) || shipping.freeWithin === state;
  await expect(answer).toContainText(
    `Standard: ${words(shipping.standard)}${isFree('Kerala') ? ', free.' : ''}`,
  );
  await expect(answer).toContainText(
    `Express, on request: ${words(shipping.express)}, ${shipping.expressCharge}.`,
  );

  await pin.fill('400001');
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(answer).toContainText('To Maharashtra, 400001, if you order now:');
  await expect(answer.getByText('Order Summary')).toHaveCount(isFree('Maharashtra') ? 0 : 1);

  await openProduct(page, 'Thamara Lotus Ring');
  // Above the button, before anybody has scrolled to the form.
  await expect(page.getByText(`To 400001: ${words(shipping.standard)}`)).toBeVisible();
  await pin.scrollIntoViewIfNeeded();
  await expect(pin).toHaveValue('400001');
  await expect(answer).toContainText('To Maharashtra, 400001');
  expect((await answer.innerText()).match(dayPattern)).toHaveLength(4);
});

test('a product is shared by the device, by its link, or on WhatsApp', async ({ page }) => {
  await openProduct(page, 'Muthu Embrace Ring');
  const href = await page.getByRole('link', { name: 'Send on WhatsApp' }).getAttribute('href');
  const address = new URL(href ?? '');
  expect(address.origin + address.pathname).toBe('https://wa.me/');
  expect(address.searchParams.get('text')).toBe(
    `Muthu Embrace Ring: ${runningShop().url}${new URL(page.url()).pathname}`,
  );

  const share = page.getByRole('button', { name: 'Share', exact: true });
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: async () => Promise.resolve(),
    });
  });
  await share.click();
  await expectToast(page, 'Link shared');
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: async () => Promise.reject(new Error('no')),
    });
  });
  await page.evaluate(() => {
    const clipboard = {
      writeText: async (text: string) => {
        document.body.dataset['copied'] = text;
        await Promise.resolve();
      },
    };
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
  });
  await share.click();
  await expectToast(page, 'Link copied');
  await expect(page.locator('body')).toHaveAttribute('data-copied', page.url());
  await page.evaluate(() => {
    const clipboard = { writeText: async () => Promise.reject(new Error('no')) };
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
  });
  await share.click();
  await expectToast(page, 'Copy failed');
});

test('the size guide opens over the page at its part, and the chosen size stays', async ({
  page,
}) => {
  await openProduct(page, 'Palakka Mothiram');
  await page.locator('.size', { hasText: '14' }).click();
  const link = page.getByRole('main').getByRole('link', { name: 'Size guide' });
  await link.click();
  const guide = page.getByRole('dialog', { name: 'Size guide' });
  // The part for its category, or all of it where the shop names none.
  const parts = guide.getByRole('heading', { level: 2, name: /^(?:Rings|Bangles)$/u });
  await expect(parts).toHaveCount(sizeGuideOf(shopCategory(0).slug) === null ? 2 : 1);
  await expectAccessible(page, 'the size guide over a product');
  await page.keyboard.press('Escape');
  await expect(guide).toHaveCount(0);
  await expect(link).toBeFocused();
  await expect(page.getByRole('radio', { checked: true })).toHaveValue('14');
});

test('a sold-out product leads to others of its kind, at their own prices', async ({ page }) => {
  await openProduct(page, 'Neelambari Drops');
  const others = page.getByRole('region', { name: / that are in stock$/u }).getByRole('link');
  await expect(others).not.toHaveCount(0);
  const price = await page.locator('[data-price-now]').first().textContent();
  for (const other of await others.all()) await expect(other).not.toContainText(price ?? '');
  await others.first().click();
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeEnabled();
});
