import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { waitForMail } from '#tests/browser/account/mailbox.ts';
import { orderOfCustomer, refundsOf, sell } from '#tests/browser/checkout/sale.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, test } from '#tests/browser/admin/admin-page.ts';
import { openOrder } from '#tests/browser/admin/orders/admin-orders.ts';

const photo = {
  name: 'broken.png',
  mimeType: 'image/png',
  // One red pixel.
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
    'base64',
  ),
};
const video = {
  name: 'unboxing.mp4',
  mimeType: 'video/mp4',
  buffer: Buffer.from('\0\0\0\x18ftypmp42 and the rest of the film', 'latin1'),
};

/** A small file of more pixels than the server takes. */
const hugeImage = (): Promise<Buffer> =>
  sharp({ create: { width: 6_400, height: 6_300, channels: 3, background: '#fff' } })
    .png({ palette: true, colours: 2 })
    .toBuffer();

/** How many files each draft on the device has. */
const storedDrafts = (page: Page): Promise<unknown> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('kasavu');
        opening.onsuccess = () => {
          const drafts = opening.result.transaction('claims').objectStore('claims').getAll();
          drafts.onsuccess = () => {
            opening.result.close();
            const all = drafts.result as { photos: Blob[]; video: object | null }[];
            resolve(all.map(({ photos, video: film }) => photos.length + (film === null ? 0 : 1)));
          };
        };
      }),
  );

test('damage is reported from the mail of the delivery, also without a connection at first, and refunded by the admin', async ({
  page,
  browser,
}) => {
  const sale = await sell(browser);
  const order = String(sale.id);
  const { url } = runningShop();
  for (const change of [
    { state: 'packed' },
    { state: 'shipped', carrier: 'DTDC', trackingNumber: `D${order}45678` },
    { state: 'delivered' },
  ]) {
    const answer = await page.request.post(`/api/admin/orders/${order}/fulfilment`, {
      data: change,
      headers: { origin: url },
    });
    expect(answer.status(), await answer.text()).toBe(200);
  }
  const delivered = await waitForMail(sale.email, /was delivered/u);
  const link = delivered.links.find((address) => address.includes('/damage#'));

  const anybody = await browser.newContext({
    baseURL: url,
    storageState: { cookies: [], origins: [] },
  });
  const customer = await anybody.newPage();
  await customer.goto(link ?? '');
  await expect(customer.getByText('You can report damage until')).toBeVisible();
  await customer.getByRole('button', { name: 'Send report' }).click();
  await expect(customer.getByText('Tell us what is damaged.')).toBeVisible();
  await customer.getByLabel('What happened?').fill('The clasp of the chain is broken');
  await customer.getByLabel('Add photos').setInputFiles([photo, photo]);
  await customer.getByLabel('Add a video').setInputFiles(video);
  await customer.getByRole('button', { name: 'Remove photo 2' }).click();
  await customer
    .getByLabel('Add more photos')
    .setInputFiles({ name: 'IMG_0042.heic', mimeType: 'image/heic', buffer: video.buffer });
  await expect(customer.getByRole('alert')).toContainText(
    'IMG_0042.heic: This browser cannot read HEIC',
  );
  await expect(customer.getByRole('img', { name: /^photo/u })).toHaveCount(1);
  // Half a file is named at once, what only the server refuses when it is sent; the others stay.
  await customer.getByLabel('Add more photos').setInputFiles([
    { ...photo, name: 'half.png', buffer: photo.buffer.subarray(0, 40) },
    { ...photo, name: 'huge.png', buffer: await hugeImage() },
  ]);
  await expect(customer.getByRole('alert')).toHaveText(
    'half.png: This picture is damaged and cannot be read. Please choose another one, or save it anew first.',
  );
  await expect(customer.getByRole('img', { name: /^photo/u })).toHaveCount(2);
  await customer.getByRole('button', { name: 'Send report' }).click();
  await expect(customer.getByRole('alert').last()).toContainText(
    /^huge\.png: This picture is too large.*Add another one, or send the report without it\.$/u,
  );
  await expect(customer.getByRole('img', { name: /^photo/u })).toHaveCount(1);
  await expectAccessible(customer, 'the report of damage');
  expect(await overflowOf(customer)).toBeLessThanOrEqual(0);
  await customer.reload();
  await expect(customer.getByLabel('What happened?')).toHaveValue(
    'The clasp of the chain is broken',
  );
  await expect(customer.getByRole('img', { name: 'photo 1' })).toBeVisible();
  expect(await storedDrafts(customer)).toEqual([2]);
  await anybody.setOffline(true);
  await customer.getByRole('button', { name: 'Send report' }).click();
  await expect(customer.getByText('There is no connection.')).toBeVisible();
  await anybody.setOffline(false);
  await expect(customer.getByText('We have your report.')).toBeVisible();
  const thanks = customer.getByRole('heading', { name: 'Thank you for your report' });
  await expect(thanks).toBeFocused();
  await expect(thanks).toBeInViewport();
  expect(await storedDrafts(customer)).toEqual([]);
  await waitForMail(sale.email, /We have your report/u);

  await page.goto('/admin#today');
  await expect(page.getByRole('link', { name: /reports? of damage/u })).toContainText(
    sale.customerName,
  );
  await openOrder(page, sale);
  const damage = page.getByRole('region', { name: /^Damage/u });
  await expect(damage).toContainText('The clasp of the chain is broken');
  await expect
    .poll(() => damage.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(1);
  await damage.getByRole('button', { name: 'Answer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Answer the report' });
  await dialog.getByLabel('Amount in rupees').fill('500');
  await dialog.getByLabel(/Message to the customer/u).fill('We are sorry for that.');
  await expectAccessible(page, 'the answer to a report of damage');
  await dialog.getByRole('button', { name: 'Refund ₹500' }).click();
  await expectToast(page, 'The report is answered');
  await expect(damage).toContainText('Refunded ₹500');
  await expect.poll(() => refundsOf(page, sale.paymentId)).toEqual([50_000]);
  await waitForMail(sale.email, /Your report about/u);

  await customer.reload();
  await expect(customer.getByText('We refund ₹500.')).toBeVisible();
  await expect(customer.getByText('We are sorry for that.')).toBeVisible();
  await anybody.close();
  // The customer comes from the account, without the mail.
  const own = await orderOfCustomer(sale);
  await expect(own.getByText(/^Damage reported on \d/u)).toBeVisible();
  await expect(own.getByRole('button', { name: 'Report damage' })).toHaveCount(0);
  // What could not be fetched is fetched when the order is opened again.
  const account = own.page();
  const isLink = (url: string | URL) => String(url).endsWith('/api/claims/link');
  await account.route(isLink, (route) => route.abort(), { times: 1 });
  const failed = account.waitForEvent('requestfailed', (request) => isLink(request.url()));
  await account.reload();
  await account.getByRole('tab', { name: 'Orders' }).click();
  await failed;
  await expect(own.getByRole('button', { name: 'Report damage' })).toBeVisible();
  await own.locator('summary').click();
  await expect(own.getByRole('button', { name: 'Report damage' })).toBeHidden();
  await own.locator('summary').click();
  await expect(own.getByText(/^Damage reported on \d/u)).toBeVisible();
  await own.getByRole('link', { name: 'See your report' }).click();
  await expect(own.page()).toHaveURL(/\/damage#\d+-/u);
  await sale.end();
});
