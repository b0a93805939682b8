import sharp from 'sharp';
import {
  expect,
  findRow,
  openAdmin,
  openNewProduct,
  sizeField,
  test,
} from '#tests/browser/admin/admin-page.ts';
import { deleteProduct, readProduct } from '#tests/browser/catalogue/product-rows.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

/** A photograph as a phone makes it: larger than what a function takes, with its short film behind the image. */
async function photo(): Promise<Buffer> {
  const still = await sharp({
    create: { width: 3000, height: 2200, channels: 3, background: '#b08c3d' },
  })
    .jpeg()
    .toBuffer();
  const film = Buffer.alloc(5_000_000, 7);
  return Buffer.concat([still, film]);
}

const small = (color: string) =>
  sharp({ create: { width: 60, height: 60, channels: 3, background: color } })
    .png()
    .toBuffer();

test('a product with a photograph is live at once', async ({ page, browser, baseURL }) => {
  const name = `Ponnu ${crypto.randomUUID().slice(0, 8)}`;
  await openAdmin(page);
  const dialog = await openNewProduct(page);
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Price (₹)', { exact: true }).fill('₹2,499.00');
  await dialog.getByLabel('Category').selectOption(shopCategory(0).slug);
  await sizeField(dialog).fill('Adjustable');
  await dialog.getByLabel('Stock').fill('4');
  await dialog
    .getByLabel('Choose file for picture 1')
    .setInputFiles({ name: 'IMG_2041.jpg', mimeType: 'image/jpeg', buffer: await photo() });
  await page.getByRole('button', { name: 'Use this picture' }).click();
  await expect(dialog.getByLabel('Description of picture 1')).toBeVisible();
  await dialog.getByLabel('Description of picture 1').fill('A necklace of gold thread.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added', 'On its own page now, in the shop ');
  const row = await findRow(page, name);
  await expect(row.getByText('To be published')).toBeVisible();
  const id = (await row.getAttribute('data-product')) ?? '';
  const [entry] = (await readProduct(id)).images;
  expect(entry).toMatch(/^products\/[\w-]+\.webp$/u);

  const customer = await browser.newContext({ baseURL: baseURL ?? '', javaScriptEnabled: false });
  const visit = await customer.newPage();
  const live = await visit.goto(`/product/${id}`);
  expect(live?.status()).toBe(200);
  await expect(visit).toHaveTitle(new RegExp(name, 'u'));
  const image = visit.getByRole('img', { name: 'A necklace of gold thread.' }).first();
  await expect(image).toHaveJSProperty('complete', true);
  expect(await image.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
    100,
  );

  await customer.close();
  await deleteProduct(id);
});

test('an image that cannot be sent never blocks saving, and can be tried again', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/503/u);
  const name = `Chitra ${crypto.randomUUID().slice(0, 8)}`;
  await page.route('**/api/admin/images', (route) =>
    route.fulfill({ status: 503, json: { message: 'The picture store is busy.', error: 'busy' } }),
  );
  await openAdmin(page);
  const dialog = await openNewProduct(page);
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Price (₹)', { exact: true }).fill('99');
  await dialog.getByLabel('Category').selectOption(shopCategory(0).slug);
  await sizeField(dialog).fill('Adjustable');
  await dialog
    .getByLabel('Choose file for picture 1')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await small('red') });
  await dialog
    .getByLabel('Choose file for picture 2')
    .setInputFiles({ name: 'b.heic', mimeType: 'image/heic', buffer: Buffer.from('no picture') });
  await expect(
    dialog.getByText(
      'Picture 1 could not be sent: The picture store is busy. You can save without it.',
    ),
  ).toBeVisible();
  await expect(
    dialog.getByText(/Picture 2 could not be sent: This browser cannot read HEIC pictures/u),
  ).toBeVisible();
  await expect(
    dialog.getByRole('group', { name: 'Pictures' }).getByRole('listitem').first().locator('img'),
  ).toHaveAttribute('src', '/placeholder.svg');
  await page.unroute('**/api/admin/images');
  await dialog.getByRole('button', { name: 'Retry picture 1' }).click();
  await expect(dialog.getByLabel('Description of picture 1')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added', 'Without the picture that could not be sent.');
  const row = await findRow(page, name);
  const id = (await row.getAttribute('data-product')) ?? '';
  expect((await readProduct(id)).images).toHaveLength(1);
  await deleteProduct(id);
});

test('images come from a paste, a data URL and an address, change their order and are removed', async ({
  page,
  expectProblem,
}) => {
  // The address is of a host that does not exist.
  expectProblem(/pictures\.example|ERR_NAME|ERR_FAILED/u);
  const name = `Mudra ${crypto.randomUUID().slice(0, 8)}`;
  const [red, blue] = await Promise.all([small('red'), small('blue')]);
  await openAdmin(page);
  const dialog = await openNewProduct(page);
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Price (₹)', { exact: true }).fill('99');
  await dialog.getByLabel('Category').selectOption(shopCategory(0).slug);
  await sizeField(dialog).fill('Adjustable');
  await dialog.getByLabel('Name', { exact: true }).evaluate(
    (field, bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], 'pasted.png', { type: 'image/png' }));
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    [...red],
  );
  await dialog.getByLabel('Description of picture 1').fill('Red');
  await dialog.getByRole('button', { name: 'Web address of picture 2' }).click();
  await dialog.getByLabel('Web address of picture 2').fill('not an address');
  await dialog.getByLabel('Web address of picture 2').press('Enter');
  await expect(dialog.getByText(/This is not a picture’s address/u)).toBeVisible();
  await dialog
    .getByLabel('Web address of picture 2')
    .fill(`data:image/png;base64,${blue.toString('base64')}`);
  await dialog.getByLabel('Web address of picture 2').press('Enter');
  await dialog.getByLabel('Description of picture 2').fill('Blue');
  await dialog.getByRole('button', { name: 'Web address of picture 3' }).click();
  await dialog.getByLabel('Web address of picture 3').fill('https://pictures.example/third.jpg');
  await dialog.getByRole('button', { name: 'Use' }).click();
  await dialog.getByLabel('Description of picture 3').fill('Third');
  await dialog.getByRole('button', { name: 'Move picture 2 earlier' }).click();
  await expect(dialog.getByLabel('Description of picture 1')).toHaveValue('Blue');
  await dialog.getByRole('button', { name: 'Remove picture 2' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added');
  const row = await findRow(page, name);
  const id = (await row.getAttribute('data-product')) ?? '';
  const stored = await readProduct(id);
  await deleteProduct(id);
  expect(stored.images).toEqual([
    expect.stringMatching(/^products\//u),
    'https://pictures.example/third.jpg',
  ]);
  expect(stored.image_alts).toEqual(['Blue', 'Third']);
});
