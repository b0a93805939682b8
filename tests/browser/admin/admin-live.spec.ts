import { randomUUID } from 'node:crypto';
import type { Page, Response } from '@playwright/test';
import * as z from 'zod';
import { sell } from '../checkout/sale.ts';
import { insertRows } from '../support/running-shop.ts';
import { openOrder } from './orders/admin-orders.ts';
import { expect, test } from './admin-page.ts';

const askedForToday = (page: Page): string[] => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/api/admin/today') asked.push(search);
  });
  return asked;
};

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
  // Among those to pack: the list of all may begin with the many orders that another test puts in meanwhile.
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

test('a new message appears in an open inbox and under Today within ten seconds', async ({
  page,
}) => {
  await page.clock.install();
  const asked = askedForToday(page);
  await page.goto('/admin#today');
  await expect(page.getByRole('region', { name: 'Today' }).getByText(/Sold today/u)).toBeVisible();
  expect(asked).toEqual(['']);
  await section(page, 'More').click();
  await page.getByRole('link', { name: 'Messages' }).click();
  await expect(
    page
      .getByRole('listitem')
      .filter({ has: page.locator('summary') })
      .first()
      .or(page.getByText('No messages yet')),
  ).toBeVisible();
  expect(asked).toEqual(['']);
  const name = `Devika ${randomUUID().slice(0, 8)}`;
  await insertRows('contact_messages', [
    { name, email: 'devika@kasavu.example', subject: 'Ring size', message: 'Which one?' },
  ]);
  await page.clock.runFor(10_000);
  const entry = page.getByRole('listitem').filter({ hasText: name });
  await expect(entry).toBeVisible();
  await expect.poll(() => waiting(page, 'More')).toBeGreaterThan(0);
  await entry.locator('summary').press('Enter');
  await expect(entry.getByText('Unread:')).toHaveCount(0);
  await expectNumberFollows(page, 'More', () =>
    entry.getByRole('button', { name: 'Answered' }).press('Enter'),
  );
  await expect(entry.locator('summary')).toContainText('Answered');
});

test('a list of more than a hundred orders keeps all of them when a new one arrives', async ({
  page,
}) => {
  const mark = `k${randomUUID().slice(0, 7)}`;
  const rows = (count: number, name = 'Meera') =>
    Array.from({ length: count }, () => ({
      merchant_transaction_id: `T-${randomUUID().slice(0, 12)}`,
      customer_name: `${name} ${mark}`,
      status: 'FAILED',
    }));
  await insertRows('orders', rows(130));
  await page.clock.install();
  await page.goto(`/admin#orders?q=${mark}`);
  const orders = page.locator('[data-order]');
  for (const shown of [25, 50, 75, 100, 125, 130]) {
    await expect(orders).toHaveCount(shown);
    if (shown < 130) await page.getByRole('button', { name: 'Load more' }).press('Enter');
  }
  await insertRows('orders', rows(1, 'Devika'));
  await page.clock.runFor(10_000);
  await expect(orders.first()).toContainText(`Devika ${mark}`);
  await expect(orders).toHaveCount(131);
  const ids = await orders.evaluateAll((all) => all.map((one) => one.getAttribute('data-order')));
  expect(new Set(ids).size).toBe(131);
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
