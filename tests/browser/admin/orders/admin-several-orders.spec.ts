import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expect, test } from '#tests/browser/admin/admin-page.ts';
import { sell } from '#tests/browser/checkout/sale.ts';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';

test('a finger that stays on an order chooses it, a tap the next; both are packed, then sent with their numbers, and one that cannot be is named', async ({
  page,
  browser,
  isMobile,
  expectProblem,
}) => {
  expectProblem(/409/u);
  test.skip(!isMobile, 'a finger');
  const sales = [await sell(browser), await sell(browser), await sell(browser)];
  const [below, first, second] = sales.map(({ id }) => String(id));
  // The list shows these alone, at its top: what goes away above it moves the row below under the finger.
  const name = `Anjali ${crypto.randomUUID().slice(0, 8)}`;
  const { error } = await supabaseAs('shop')
    .from('orders')
    .update({ customer_name: name })
    .in(
      'id',
      sales.map(({ id }) => id),
    );
  expect(error).toBeNull();
  await page.goto('/admin#orders');
  await page.getByLabel('Search orders').fill(name);
  await expect(page.locator('[data-order]')).toHaveCount(3);
  const row = (id: string | undefined) => page.locator(`[data-order="${String(id)}"]`);
  await row(first).scrollIntoViewIfNeeded();
  const box = await row(first).boundingBox();
  if (!box) throw new Error('No row');
  const touch = await page.context().newCDPSession(page);
  const point = { x: box.x + 60, y: box.y + 20 };
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  const chosen = (id: string | undefined) =>
    page.getByRole('checkbox', { name: `Choose order ${String(id)}` });
  await expect(chosen(first)).toBeChecked();
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(chosen(first)).toBeChecked();
  await row(second).tap();
  await expect(chosen(second)).toBeChecked();
  await expect(chosen(below)).not.toBeChecked();
  const bar = page.getByRole('group', { name: 'Selected orders' });
  await bar.getByRole('button', { name: 'Mark packed' }).click();
  await expectToast(page, '2 orders are packed');
  await expect(bar).toBeHidden();

  await page.getByRole('button', { name: 'Select', exact: true }).click();
  for (const id of [first, second]) await chosen(id).check();
  await expect(bar.getByRole('button', { name: 'Mark packed' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await bar.getByRole('button', { name: 'Mark shipped' }).click();
  const sheet = page.getByRole('dialog', { name: 'Ship 2 orders' });
  await sheet.getByRole('button', { name: 'DTDC' }).click();
  const number = (id: string | undefined) =>
    sheet.getByLabel(new RegExp(`^Tracking number of ${String(id)}`, 'u'));
  await number(first).fill('D12345678');
  await number(second).fill('D12345678');
  await sheet.getByRole('button', { name: 'Mark 2 orders shipped' }).click();
  await expect(sheet.getByText('Another order here has this number already')).toBeVisible();
  await expectAccessible(page, 'the sheet of several parcels');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);

  // Cancelled on another device while the sheet is open.
  const body = { key: crypto.randomUUID(), reason: 'The customer asked', restock: true };
  await page.request.post(`/api/admin/orders/${String(second)}/cancel`, {
    data: body,
    headers: { origin: new URL(page.url()).origin },
  });
  await number(second).fill('D12345679');
  await sheet.getByRole('button', { name: 'Mark 2 orders shipped' }).click();
  const rest = page.getByRole('dialog', { name: 'Ship 1 order' });
  await expect(rest.getByText('This order is cancelled.')).toBeVisible();
  await expect(rest.getByRole('link', { name: /^Tracking by WhatsApp/u })).toHaveAttribute(
    'href',
    /^https:\/\/wa\.me\/919847012345\?text=.*D12345678/u,
  );
  await rest.getByRole('button', { name: 'Close' }).click();
  await expect(row(first)).toContainText('Shipped');
  await expect(row(second)).toContainText('Cancelled');
  for (const sale of sales) await sale.end();
});
