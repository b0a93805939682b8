import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import type { Page } from '@playwright/test';
import { theme } from '#settings/theme.ts';
import { expect, openAdmin, openNewProduct, test } from '#tests/browser/admin/admin-page.ts';

const small = (color: string) =>
  sharp({ create: { width: 60, height: 60, channels: 3, background: color } })
    .png()
    .toBuffer();

/** Keeps each image that the page sends; Playwright itself does not see the bytes of a file. */
async function recordUploads(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sent: Blob[] = [];
    Object.assign(window, { sentImages: sent });
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function record(body) {
      if (body instanceof Blob) sent.push(body);
      send.call(this, body);
    };
  });
}

/** The last image that was sent. */
async function sentImage(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const blob = (window as unknown as { sentImages: Blob[] }).sentImages.at(-1);
    return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))];
  });
  return Buffer.from(bytes);
}

/** A photograph of 12 megapixels, full of detail: about 4 MB. */
async function photograph(): Promise<Buffer> {
  const [width, height] = [500, 375];
  const detail = { raw: { width, height, channels: 3 } } as const;
  return sharp(randomBytes(width * height * 3), detail)
    .resize(4000, 3000)
    .jpeg({ quality: 92 })
    .toBuffer();
}

test('a phone’s photograph is shrunk before it is sent, to less than a megabyte', async ({
  page,
}) => {
  const file = await photograph();
  expect(file.length).toBeGreaterThan(2_500_000);
  expect(file.length).toBeLessThan(4 * 1024 * 1024);
  await recordUploads(page);
  await openAdmin(page);
  const dialog = await openNewProduct(page);
  const sent = page.waitForRequest('**/api/admin/images');
  await dialog
    .getByLabel('Choose file for picture 1')
    .setInputFiles({ name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: file });
  await page
    .getByRole('dialog', { name: 'Picture 1 is not square' })
    .getByRole('button', { name: 'Use this picture' })
    .click();
  await sent;
  const { length } = await sentImage(page);
  expect(length).toBeGreaterThan(1_000);
  // Ten seconds of a slow uplink (750 kbit/s).
  expect(length).toBeLessThan(937_500);
  await expect(dialog.getByLabel('Description of picture 1')).toBeVisible();
});

test('a transparent image is shrunk and stays transparent', async ({ page }) => {
  const noise = await sharp(randomBytes(400 * 400 * 4), {
    raw: { width: 400, height: 400, channels: 4 },
  })
    .png()
    .toBuffer();
  expect(noise.length).toBeGreaterThan(300 * 1024);
  await recordUploads(page);
  await openAdmin(page);
  const dialog = await openNewProduct(page);
  const sent = page.waitForRequest('**/api/admin/images');
  await dialog
    .getByLabel('Choose file for picture 1')
    .setInputFiles({ name: 'cut-out.png', mimeType: 'image/png', buffer: noise });
  await sent;
  const image = await sentImage(page);
  expect(image.length).toBeLessThan(noise.length);
  expect(await sharp(image).metadata()).toMatchObject({ format: 'webp', hasAlpha: true });
});

test('several images are chosen at once, and one that cannot be used is replaced where it stands', async ({
  page,
}) => {
  const files = await Promise.all(
    ['red', 'green', 'blue'].map(async (color) => ({
      name: `${color}.png`,
      mimeType: 'image/png',
      buffer: await small(color),
    })),
  );
  // Some galleries save such a file: a HEIC by its bytes, a JPEG by its name.
  const box = (name: string, content: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(8 + content.length);
    return Buffer.concat([length, Buffer.from(name + content)]);
  };
  const broken = {
    name: 'IMG_2.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([box('ftyp', 'heic\0\0\0\0mif1heic'), box('meta', ''), box('mdat', 'x')]),
  };
  await openAdmin(page);
  const dialog = await openNewProduct(page);
  await dialog.getByLabel('Choose file for picture 1').setInputFiles([broken, ...files]);
  await expect(page.getByText('One did not fit.')).toBeVisible();
  await expect(dialog.getByLabel('Description of picture 2')).toBeVisible();
  await expect(dialog.getByLabel('Description of picture 3')).toBeVisible();
  await expect(
    dialog.getByText(/Picture 1 could not be sent: This browser cannot read HEIC pictures/u),
  ).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Retry picture 1' })).toHaveCount(0);
  await expectAccessible(page, 'a picture that cannot be used');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await dialog.getByLabel('Choose another for picture 1').setInputFiles(files[0] ?? []);
  await expect(dialog.getByLabel('Description of picture 1')).toBeVisible();
});

test('a 3:4 image asks before it is cut: the square is moved by keys and by hand, the image turned, or all of it shown', async ({
  page,
}) => {
  const half = (background: string) =>
    ({ create: { width: 300, height: 200, channels: 3, background } }) as const;
  const file = await sharp({ create: { width: 300, height: 400, channels: 3, background: 'red' } })
    .composite([{ input: half('blue'), top: 200, left: 0 }])
    .png()
    .toBuffer();
  /** The colour at a point of the last image, in shares of its side. */
  const colourAt = async (x: number, y: number): Promise<number[]> => {
    const { data, info } = await sharp(await sentImage(page))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.width).toBe(info.height);
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return [...data.subarray(at, at + 3)].map((value) => Math.round(value / 40));
  };
  const ofTile = [1, 3, 5].map((at) => Number.parseInt(theme.colors.tile.slice(at, at + 2), 16));
  const [red, blue, tile] = [[6, 0, 0], [0, 0, 6], ofTile.map((value) => Math.round(value / 40))];
  await recordUploads(page);
  await openAdmin(page);
  const dialog = await openNewProduct(page);
  await dialog
    .getByLabel('Choose file for picture 1')
    .setInputFiles({ name: 'tall.png', mimeType: 'image/png', buffer: file });
  const question = page.getByRole('dialog', { name: 'Picture 1 is not square' });
  const stage = question.getByRole('application');
  await expect(stage).toBeFocused();
  await expectAccessible(page, 'a picture that is cut');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  // The part moves from the middle to the upper edge: two thirds of the square are red.
  for (let press = 0; press < 3; press += 1) await stage.press('Shift+ArrowUp');
  await expect(stage.locator('canvas')).toHaveAttribute('data-square', '{"x":0,"y":0,"side":300}');
  const first = page.waitForRequest('**/api/admin/images');
  await question.getByRole('button', { name: 'Use this picture' }).click();
  await first;
  expect([await colourAt(0.5, 0.6), await colourAt(0.5, 0.72)]).toEqual([red, blue]);

  await dialog.getByRole('button', { name: 'Crop or turn picture 1' }).click();
  const again = page.getByRole('dialog', { name: 'Crop or turn picture 1' });
  const box = await again.getByRole('application').boundingBox();
  if (!box) throw new Error('The picture is not drawn');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height, { steps: 3 });
  await page.mouse.up();
  await expect(again.locator('canvas')).toHaveAttribute(
    'data-square',
    '{"x":0,"y":100,"side":300}',
  );
  await again.getByRole('button', { name: 'Turn' }).click();
  const second = page.waitForRequest('**/api/admin/images');
  await again.getByRole('button', { name: 'Use this picture' }).click();
  await second;
  // Turned clockwise, what was below is on the left.
  expect([await colourAt(0.6, 0.5), await colourAt(0.72, 0.5)]).toEqual([blue, red]);

  await dialog.getByRole('button', { name: 'Crop or turn picture 1' }).click();
  await again.getByRole('button', { name: 'Show whole' }).click();
  const third = page.waitForRequest('**/api/admin/images');
  await again.getByRole('button', { name: 'Use this picture' }).click();
  await third;
  expect([await colourAt(0.05, 0.5), await colourAt(0.5, 0.1), await colourAt(0.5, 0.9)]).toEqual([
    tile,
    red,
    blue,
  ]);
  await expect(dialog.getByLabel('Description of picture 1')).toBeVisible();
});
