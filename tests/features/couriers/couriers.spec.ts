import { readFile } from 'node:fs/promises';
import { sell } from '#tests/browser/checkout/sale.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, test } from '#tests/browser/admin/admin-page.ts';

test('orders leave as a file with the chosen columns, and tracking numbers come back by them: a fault names its row, and a good file ships its orders', async ({
  page,
  browser,
}) => {
  const sale = await sell(browser);
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto('/admin#orders?filter=to_pack');
  await page.locator('summary', { hasText: /couriers/iu }).click();
  await page.getByRole('button', { name: 'File for a courier' }).click();
  const columns = page.getByRole('dialog', { name: 'File for a courier' });
  await columns.getByLabel('Heading of Tracking number').fill('Name');
  await expect(columns.getByText('Two columns have the same heading.')).toBeVisible();
  await expect(columns.getByRole('link', { name: 'Download the file' })).toBeHidden();
  await columns.getByLabel('Heading of Tracking number').fill('AWB');
  await columns.getByLabel('Country', { exact: true }).check();
  await columns.getByRole('button', { name: 'Add a column' }).click();
  await columns.getByLabel('Heading 1', { exact: true }).fill('Service');
  await columns.getByLabel('Text 1', { exact: true }).fill('Speed Post');
  await expectAccessible(page, 'the columns of a file for a courier');
  const downloaded = page.waitForEvent('download');
  await columns.getByRole('link', { name: 'Download the file' }).click();
  const lines = (await readFile(await (await downloaded).path(), 'utf8')).split('\r\n');
  expect(lines[0]).toContain('Order,Name,Phone,Address,City,State,PIN code,Country,');
  expect(lines[0]).toContain(',AWB,Carrier,Service');
  expect(
    lines.some((line) => line.startsWith(`${String(sale.id)},`) && line.endsWith(',Speed Post')),
  ).toBe(true);
  await expect(columns).toBeHidden();

  await page.getByRole('button', { name: 'File for a courier' }).click();
  await columns.getByLabel('Sheet of').selectOption('Shiprocket');
  await expect(columns.getByText('A row for each product.')).toBeVisible();
  await columns.getByLabel('Sheet of').selectOption('Delhivery');
  await columns.getByLabel('Pickup location, as in Delhivery One').fill('Kochi shop');
  await expectAccessible(page, 'the sheet of a courier');
  const sheet = page.waitForEvent('download');
  await columns.getByRole('link', { name: 'Download the file' }).click();
  expect(await readFile(await (await sheet).path(), 'utf8')).toContain(
    `\r\n${String(sale.id)},Kochi shop,`,
  );
  await page.getByRole('button', { name: 'Import tracking numbers' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import tracking numbers' });
  const choose = (rows: string) =>
    dialog.getByLabel(/Choose (?:another )?file/u).setInputFiles({
      name: 'parcels.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`Order,AWB,Carrier\n${rows}`),
    });
  await dialog.getByLabel('Carrier', { exact: true }).fill('DTDC');
  await dialog.getByLabel('Choose file').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Parcel,Customer\n${String(sale.id)},D12345678\n`),
  });
  await dialog.getByLabel('Order number', { exact: true }).selectOption('Parcel');
  await dialog.getByLabel('Tracking number', { exact: true }).selectOption('Customer');
  await expect(dialog.getByText('1 order would be shipped')).toBeVisible();
  await choose(`${String(sale.id)},D12345678,DTDC\n999999,D12345679,DTDC`);
  await expect(dialog.getByRole('alert')).toContainText(
    'Row 3, Order: “999999”. There is no such order.',
  );
  await choose(`${String(sale.id)},D12345678,DTDC\n999998,,DTDC\n999999,,`);
  await expect(dialog.getByText('1 order would be shipped')).toBeVisible();
  await expect(dialog.getByText('2 rows without a tracking number are left out.')).toBeVisible();
  await expectAccessible(page, 'tracking numbers');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await dialog.getByRole('button', { name: 'Ship 1 order' }).click();
  await expectToast(page, '1 order shipped');
  await expect(dialog).toBeHidden();
  await sale.end();
});
