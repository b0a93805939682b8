import type { Page, Response } from '@playwright/test';
import * as z from 'zod';
import { sell } from '#tests/browser/checkout/sale.ts';
import { openOrder } from './orders/admin-orders.ts';
import { expect, test } from './admin-page.ts';

const section = (page: Page, name: 'Orders' | 'More') =>
  page
    .getByRole('navigation', { name: 'Admin' })
    .getByRole('link', { name: new RegExp(`^${name}`, 'u') });

/** The number beside a section. */
async function waiting(page: Page, name: 'Orders' | 'More'): Promise<number> {
  return Number(/\d+/u.exec(await section(page, name).innerText())?.[0] ?? 0);
}

const answerSchema = z.object({
  today: z.nullable(
    z.object({ toPack: z.object({ count: z.int() }), toAnswer: z.object({ count: z.int() }) }),
  ),
});

/** Presses while the page's clock stands still, so that nothing comes by waiting, and expects the number beside a section to follow. */
async function expectNumberFollows(
  page: Page,
  name: 'Orders' | 'More',
  press: () => Promise<void>,
): Promise<void> {
  const isToday = (address: string) => new URL(address).pathname === '/api/admin/today';
  await page.clock.pauseAt(Date.now() + 3_600_000);
  let told = -1;
  const listen = async (response: Response): Promise<void> => {
    if (!isToday(response.url())) return;
    // The page cancels a request when a newer one replaces it: then there is no body, and the page was told nothing.
    if ((await response.finished()) !== null) return;
    const { today } = answerSchema.parse(await response.json());
    if (today) told = (name === 'Orders' ? today.toPack : today.toAnswer).count;
  };
  page.on('response', listen);
  const asked = page.waitForRequest((request) => isToday(request.url()));
  await press();
  await asked;
  await expect.poll(async () => told >= 0 && (await waiting(page, name)) === told).toBe(true);
  // With the clock running, the page asks again and again.
  page.off('response', listen);
  await page.clock.resume();
}

test('a new order stands on an open page within ten seconds; the number beside Orders follows each step at once, and Today counts the parcel that waits to be sent', async ({
  page,
  browser,
}) => {
  await page.clock.install();
  // The list has the orders to pack, because the list of all may begin with the many orders that another test adds meanwhile.
  await page.goto('/admin#orders?filter=to_pack');
  await expect(
    page
      .locator('[data-order]')
      .first()
      .or(page.getByText(/^Nothing under/u)),
  ).toBeVisible();
  const sale = await sell(browser);
  await page.clock.runFor(10_000);
  await expect(page.locator(`[data-order="${String(sale.id)}"]`)).toBeVisible();
  await openOrder(page, sale);
  await expect.poll(() => waiting(page, 'Orders')).toBeGreaterThan(0);
  await expectNumberFollows(page, 'Orders', () =>
    page.getByRole('button', { name: 'Mark packed' }).press('Enter'),
  );
  await expect(page.getByRole('button', { name: 'Undo ‘Packed’' })).toBeVisible();
  await page.getByRole('link', { name: /^Today/u }).click();
  await page.locator('.today-tile').filter({ hasText: 'to send' }).press('Enter');
  await expect(page.getByRole('button', { name: /^Packed/u })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.locator(`[data-order="${String(sale.id)}"]`)).toBeVisible();
  await sale.end();
});

test('pressing ‘Mark shipped’ while ‘Mark packed’ is being saved opens a dialog that stays', async ({
  page,
  browser,
}) => {
  const sale = await sell(browser);
  await openOrder(page, sale);
  const { promise: held, resolve: answer } = Promise.withResolvers<undefined>();
  await page.route('**/api/admin/orders/*/fulfilment', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Mark packed' }).click();
  await page.getByRole('button', { name: 'Mark shipped' }).click();
  const ship = page.getByRole('dialog', { name: `Ship order ${String(sale.id)}` });
  await ship.getByLabel('Carrier', { exact: true }).fill('DTDC');
  await ship.getByLabel(/^Tracking number/u).fill('D77001234');
  await ship.getByLabel(/^Tracking number/u).press('Enter');
  answer(undefined);
  await expect(page.getByText(`Order ${String(sale.id)} is packed`)).toBeVisible();
  await expect(ship.getByLabel(/^Tracking number/u)).toHaveValue('D77001234');
  await ship.getByRole('button', { name: 'Mark shipped' }).click();
  await expect(ship).toBeHidden();
  await expect(page.getByText('DTDC, tracking D77001234')).toBeVisible();
  await sale.end();
});
