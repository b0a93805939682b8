import { formatDay } from '#domain/calendar-day.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { startWith } from '#tests/browser/account/customers.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, openMore, test } from '#tests/browser/admin/admin-page.ts';

const dayFromToday = (days: number): string =>
  isoDateInIndia(new Date(Date.now() + days * 86_400_000).toISOString());

test('a holiday notice is written by the admin, lies on every page and closes the cart’s checkout', async ({
  page,
  context,
  newProduct,
  expectProblem,
}) => {
  // The days are so far ahead that no customer of another test is concerned.
  const [first, last] = [dayFromToday(200), dayFromToday(205)];
  await openMore(page);
  await page.locator('summary').filter({ hasText: 'Holiday notice' }).click();
  const form = page.getByRole('form', { name: 'Holiday notice' });
  await form.getByLabel('What customers read').fill('We are away for Onam.');
  await form.getByRole('button', { name: 'Save notice' }).click();
  await expect(form.getByText('Choose a day')).toBeVisible();
  await expect(form.getByText('Choose what happens until the last day')).toBeVisible();
  for (const choice of await form.getByRole('radio').all()) await expect(choice).not.toBeChecked();
  await form.getByLabel('Close checkout').check();
  await expect(form.getByText('Choose what happens until the last day')).toBeHidden();
  await form.getByLabel('First day').fill(first);
  await form.getByLabel('Last day').fill(last);
  await expectAccessible(page, 'the form of the notice');
  await form.getByRole('button', { name: 'Save notice' }).click();
  const days = `${formatDay(Date.parse(first))}, until ${formatDay(Date.parse(last))}`;
  await expectToast(page, `Checkout closes on ${days}`);
  await expect(page.locator('summary').filter({ hasText: 'Holiday notice' })).toContainText(
    `checkout closes on ${days}`,
  );
  const answer = (await (await page.request.get('/api/notice')).json()) as { notice: object };
  expect(answer.notice).toMatchObject({
    message: 'We are away for Onam.',
    first_day: first,
    last_day: last,
  });

  // Makes today its first day.
  let told: Promise<unknown> = Promise.resolve();
  await page.route('**/api/notice', async (route) => {
    await told;
    await route.fulfill({
      json: {
        notice: { ...answer.notice, first_day: dayFromToday(0), last_day: dayFromToday(3) },
        begun: true,
      },
    });
  });
  await startWith(context, { cart: [cartLine(await newProduct({ name: 'Closed Ring' }))] });
  // A font that swaps in moves the shop's name by a part of a pixel, whatever the notice does.
  expectProblem(/woff2|ERR_FAILED/u);
  await page.route('**/*.woff2', (route) => route.abort());
  for (const path of ['/', '/about', '/cart']) {
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries())
          Reflect.set(
            window,
            'moved',
            Number(Reflect.get(window, 'moved') ?? 0) + Number(Reflect.get(shift, 'value')),
          );
      }).observe({ type: 'layout-shift', buffered: true });
    });
    // The cart is there before the notice is: what changes in it then takes the same place.
    if (path === '/cart')
      told = page.getByRole('button', { name: 'Proceed to Checkout' }).waitFor();
    await page.goto(path);
    const bar = page.getByRole('complementary', { name: 'Notice' });
    await expect(bar).toContainText(/^We are away for Onam\. Checkout opens again on/u);
    await expect(bar).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => Number(Reflect.get(window, 'moved') ?? 0)), path).toBe(0);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
  }
  await expect(page.getByRole('button', { name: /^Opens on/u })).toBeDisabled();
  await expect(page.getByText('Closed Ring')).toBeVisible();
  await expectAccessible(page, 'a cart while checkout is closed');

  await openMore(page);
  await page.locator('summary').filter({ hasText: 'Holiday notice' }).click();
  await page.getByRole('button', { name: 'Take it away' }).click();
  await expectToast(page, 'Notice removed');
  await expect(page.locator('summary').filter({ hasText: 'Holiday notice' })).toContainText('none');
});
