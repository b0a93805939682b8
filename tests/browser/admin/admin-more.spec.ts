import { twoFrames } from '../support/traffic.ts';
import { expect, openMore, test } from './admin-page.ts';

/** Endpoints that More requests. Each of them answers last once. */
const parts = [
  'admin/today',
  'admin/publish',
  'admin/occasion',
  'admin/notice',
  'admin/discount',
  'admin/stock-alert',
  'admin/push',
  'admin/second-factor',
];

test('nothing under More moves once it can be pressed, whichever part comes last', async ({
  page,
}) => {
  for (const part of parts) {
    const answer = Promise.withResolvers<undefined>();
    let held = 0;
    await page.route(`**/api/${part}*`, async (route) => {
      held += 1;
      await answer.promise;
      await route.continue();
    });
    await page.goto('/auth');
    await openMore(page);
    const last = page.getByRole('link', { name: 'Checkout forms' });
    await expect.poll(() => held, `${part} is requested`).toBeGreaterThan(0);
    // Counted by its class: after 4 s the page shows it in any case, and a busy machine may take that long.
    const unseen = page.locator('.after-late');
    await expect(unseen, `parts that wait for ${part}`).toHaveCount(part === 'admin/today' ? 2 : 1);
    answer.resolve(undefined);
    await expect(unseen).toHaveCount(0);
    await expect(last).toBeVisible();
    const before = await last.boundingBox();
    await page.waitForLoadState('networkidle');
    await twoFrames(page);
    expect(await last.boundingBox(), `in its place after ${part}`).toEqual(before);
    await page.unroute(`**/api/${part}*`);
  }
});
