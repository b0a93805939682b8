import { waitForMail } from '#tests/browser/account/mailbox.ts';
import { sell } from '#tests/browser/checkout/sale.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { runningShop, supabaseAs } from '#tests/browser/support/running-shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, openMore, test } from '#tests/browser/admin/admin-page.ts';
import { fixedReviews } from '#settings/reviews.ts';

const photo = {
  name: 'ring.png',
  mimeType: 'image/png',
  // One red pixel.
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
    'base64',
  ),
};

test('a customer who is asked a week after the delivery writes a review with an image, and its product shows it once the admin has published it', async ({
  page,
  browser,
}) => {
  test.slow();
  const sale = await sell(browser);
  const { url } = runningShop();
  const delivered_at = new Date(Date.now() - 8 * 86_400_000).toISOString();
  const { error } = await supabaseAs('shop')
    .from('orders')
    .update({ fulfilment: 'delivered', delivered_at })
    .eq('id', sale.id);
  expect(error).toBeNull();
  await page.request.post('/local/sweep');
  const { links } = await waitForMail(sale.email, /^How do you like/u);

  const anybody = await browser.newContext({
    baseURL: url,
    storageState: { cookies: [], origins: [] },
  });
  const customer = await anybody.newPage();
  await customer.goto(links.find((link) => link.includes('/review#')) ?? '');
  const ring = customer.getByRole('region', { name: sale.ring.name });
  await expect(customer.getByLabel('Name', { exact: true })).toHaveValue('Anjali');
  await expect(customer.getByLabel('Town')).toHaveValue('Thrissur');
  await ring.getByLabel('Your words').fill('It shines.\nSee www.example.com <b>too</b>');
  await customer.getByRole('button', { name: 'Send' }).click();
  await expect(ring.getByRole('radiogroup', { name: 'Stars' })).toBeFocused();
  await expect(ring.getByText('Choose one to five stars.')).toBeVisible();
  // The keyboard chooses the stars, as with radio buttons.
  await ring.getByRole('radio', { name: '3 stars' }).press('Space');
  await ring.getByRole('radio', { name: '3 stars' }).press('ArrowRight');
  await expect(ring.getByRole('radio', { name: '4 stars' })).toBeChecked();
  await expectAccessible(customer, 'the form for reviews');
  expect(await overflowOf(customer)).toBeLessThanOrEqual(0);
  await customer.reload();
  await expect(ring.getByLabel('Your words')).toHaveValue(/^It shines\./u);
  await expect(ring.getByRole('radio', { name: '4 stars' })).toBeChecked();
  await ring.getByLabel(/^Add a photo/u).setInputFiles(photo);
  await anybody.setOffline(true);
  await customer.getByRole('button', { name: 'Send' }).click();
  await expect(customer.getByRole('alert')).toHaveText('There is no connection.');
  await anybody.setOffline(false);
  await customer.getByRole('button', { name: 'Send' }).click();
  await expect(customer.getByRole('heading', { name: 'Thank you, we have it' })).toBeFocused();
  await expect(ring.getByText('Your photo has arrived.')).toBeVisible();

  await openMore(page);
  await expect(page.getByRole('link', { name: /^Reviews/u })).toContainText(/\d to read/u);
  await page.goto('/admin#inbox/reviews');
  const entry = page.getByRole('listitem', { name: `4 stars for ${sale.ring.name}` });
  await expect(entry).toContainText('Anjali, Thrissur');
  await expect
    .poll(() => entry.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await entry.getByLabel(/^Your answer/u).fill('Thank you, Anjali!');
  await expectAccessible(page, 'a review in the inbox');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await entry.getByRole('button', { name: 'Publish' }).click();
  await expectToast(page, 'Published');
  await expect(entry.getByText('Published')).toBeVisible();

  const product = `/product/${sale.ring.id}`;
  await openMore(page);
  const publishing = page.getByRole('region', { name: 'Publishing' });
  await publishing.getByRole('button', { name: 'Publish now' }).click();
  await expect
    .poll(
      async () => (await (await fetch(url + product)).text()).includes('1 review by customers'),
      {
        timeout: 120_000,
      },
    )
    .toBe(true);

  await customer.goto(product);
  const shown = customer.getByRole('region', { name: '1 review by customers' });
  await expect(customer.getByRole('link', { name: '4.0 (1 review)' })).toBeVisible();
  await expect(shown.getByRole('img', { name: '4 of 5 stars' })).toBeVisible();
  await expect(shown).toContainText('See www.example.com <b>too</b>');
  await expect(shown.getByRole('link')).toHaveCount(1);
  await expect(shown).toContainText('Thank you, Anjali!');
  const image = shown.getByRole('img', { name: 'Photo by Anjali, larger' });
  await image.scrollIntoViewIfNeeded();
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
  await expectAccessible(customer, 'a product with a review');
  expect(await overflowOf(customer)).toBeLessThanOrEqual(0);
  const data = await customer.locator('script[type="application/ld+json"]').allTextContents();
  expect(data.join()).toContain('"reviewCount":1');
  const feed = await (await fetch(`${url}/feeds/google-reviews.xml`)).text();
  expect(feed).toContain('See www.example.com &lt;b&gt;too&lt;/b&gt;');
  expect(feed).toContain(product);
  // Never both.
  await customer.goto(`/product/${sale.chain.id}`);
  await expect(customer.getByRole('heading', { level: 1 })).toHaveText(sale.chain.name);
  await expect(customer.getByText(`(${String(fixedReviews.count)} reviews)`)).toHaveCount(0);
  await customer.goto('/shop?sort=reviewed');
  await expect(customer.getByRole('article').first()).toContainText(sale.ring.name);
  await anybody.close();
  await sale.end();
});
