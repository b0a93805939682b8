import { twoFrames } from '#tests/browser/support/traffic.ts';
import { expect, findRow, openAdmin, openMore, test } from './admin-page.ts';

/** Endpoints that More requests before anything in it is unfolded. Each of them answers last once. */
const endpoints = ['admin/today', 'admin/publish'];
/** Endpoints of the folded panels, each with the title that unfolds it. */
const panels = [
  { endpoint: 'admin/featured', title: 'Home page' },
  { endpoint: 'admin/occasion', title: 'Occasion' },
  { endpoint: 'admin/notice', title: 'Holiday notice' },
  { endpoint: 'admin/discount', title: 'Discount codes' },
  { endpoint: 'admin/stock-alert', title: 'Waiting for stock' },
  { endpoint: 'admin/second-factor', title: 'Two-step login' },
];

test('a panel of More fetches its data when it is unfolded, and a failure is shown in it with a button that tries again', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/500/u);
  const requested = new Set<string>();
  page.on('request', (request) =>
    requested.add(new URL(request.url()).pathname.replace('/api/', '')),
  );
  await openMore(page);
  await expect(page.getByRole('region', { name: 'Publishing' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Checkout forms' })).toBeVisible();
  expect(panels.map(({ endpoint }) => endpoint).filter((path) => requested.has(path))).toEqual([]);
  for (const { endpoint, title } of panels) {
    await page.route(`**/api/${endpoint}`, (route) => route.fulfill({ status: 500 }));
    const panel = page.locator('details').filter({ hasText: title });
    await panel.locator('summary').filter({ hasText: title }).press('Enter');
    const failure = panel.getByRole('alert');
    await expect(failure, title).toContainText('could not be read');
    await page.unroute(`**/api/${endpoint}`);
    await failure.getByRole('button', { name: 'Try again' }).press('Enter');
    await expect(failure, title).toBeHidden();
  }
  await expect(page.getByRole('form', { name: 'Occasion' })).toBeVisible();
});

test('nothing under More moves once it can be pressed, whichever part comes last', async ({
  page,
}) => {
  const underWay = new Set<unknown>();
  page.on('request', (request) => underWay.add(request));
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  for (const endpoint of endpoints) {
    const answer = Promise.withResolvers<undefined>();
    let held = 0;
    await page.goto('/auth');
    await expect.poll(() => underWay.size, 'all of the page before has come').toBe(0);
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
