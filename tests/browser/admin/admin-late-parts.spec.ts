import { twoFrames } from '../support/traffic.ts';
import { expect, findRow, openAdmin, openMore, test } from './admin-page.ts';

/**
 * Endpoints that More requests, and where to come from so that it does: other views have requested the first two already.
 * Each of them answers last once.
 */
const parts = [
  { endpoint: 'admin/today', from: '/auth' },
  { endpoint: 'admin/publish', from: '/auth' },
  { endpoint: 'admin/occasion', from: '/admin#figures' },
  { endpoint: 'admin/notice', from: '/admin#figures' },
  { endpoint: 'admin/discount', from: '/admin#figures' },
  { endpoint: 'admin/stock-alert', from: '/admin#figures' },
  { endpoint: 'admin/push', from: '/admin#figures' },
  { endpoint: 'admin/second-factor', from: '/admin#figures' },
];

test('nothing under More moves once it can be pressed, whichever part comes last', async ({
  page,
}) => {
  const underWay = new Set<unknown>();
  page.on('request', (request) => underWay.add(request));
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  for (const { endpoint, from } of parts) {
    const answer = Promise.withResolvers<undefined>();
    let held = 0;
    await page.goto(from);
    await expect.poll(() => underWay.size, `all of ${from} has come`).toBe(0);
    await page.route(`**/api/${endpoint}*`, async (route) => {
      held += 1;
      await answer.promise;
      await route.continue();
    });
    await openMore(page);
    const last = page.getByRole('link', { name: 'Checkout forms' });
    await expect.poll(() => held, `${endpoint} is requested`).toBeGreaterThan(0);
    await expect.poll(() => underWay.size - held, `all but ${endpoint} has come`).toBe(0);
    await twoFrames(page);
    // Counted by its class: after 4 s the page shows it in any case, and a busy machine may take that long.
    const unseen = page.locator('.after-late');
    await expect(unseen, `parts that wait for ${endpoint}`).toHaveCount(
      endpoint === 'admin/today' ? 2 : 1,
    );
    answer.resolve(undefined);
    await expect(unseen).toHaveCount(0);
    await expect(last).toBeVisible();
    const before = await last.boundingBox();
    await expect.poll(() => underWay.size, `all has come after ${endpoint}`).toBe(0);
    await twoFrames(page);
    expect(await last.boundingBox(), `in its place after ${endpoint}`).toEqual(before);
    await page.unroute(`**/api/${endpoint}*`);
  }
});

test('the rows of the products stay in their place when the way to publish them comes last', async ({
  page,
  newProduct,
}) => {
  const { name } = await newProduct({ name: `Late Ring ${crypto.randomUUID()}` });
  const answer = Promise.withResolvers<undefined>();
  await page.route('**/api/admin/publish*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await openAdmin(page);
  const row = await findRow(page, name);
  const publish = page.getByRole('link', { name: /^(?:Publish|Being published)/u });
  await expect(publish).toHaveCount(0);
  const before = await row.boundingBox();
  answer.resolve(undefined);
  await expect(publish).toBeVisible();
  expect(await row.boundingBox()).toEqual(before);
});
