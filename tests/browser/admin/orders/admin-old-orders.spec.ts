import { expectAccessible } from '../../support/accessible.ts';
import { overflowOf } from '../../support/page-state.ts';
import { expectToast } from '../../support/toasts.ts';
import { expect, test } from '../admin-page.ts';

test.use({ viewport: { width: 360, height: 780 } });

test('old orders come in from a file after a look at its faults, are found by name and removed', async ({
  page,
}) => {
  const mark = `k${crypto.randomUUID().slice(0, 7)}`;
  const file = (rows: string) => ({
    name: 'old.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Number,Date,Name,Phone,Items,Total,Paid\n${rows}`),
  });
  await page.goto('/admin#orders');
  await page.locator('summary').filter({ hasText: 'Old orders' }).click();
  await page.getByRole('button', { name: 'Import a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import old orders' });
  await dialog
    .getByLabel('Choose CSV file')
    .setInputFiles(file(`${mark}-1,31-13-2024,Anjali,,Ring,1\n`));
  await expect(dialog.getByRole('list', { name: 'Faults' })).toContainText(
    'Row 2, Date: Date must be a day',
  );
  await expectAccessible(page, 'an import of old orders with faults');
  await dialog
    .getByLabel(/Choose (?:another )?CSV file/u)
    .setInputFiles(
      file(
        `${mark}-1,31-08-2024,Anjali ${mark},98470 12345,"2 × Palakka ring","₹2,998",yes\n${mark}-2,01-09-2024,Devika ${mark},,Kasu mala,2499,no\n`,
      ),
    );
  await expect(dialog.getByText('2 orders would be added and 0 corrected.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Take in 2 orders' }).click();
  await expectToast(page, 'Saved', '2 orders added, 0 changed.');
  await page.getByLabel('Search old orders').fill(mark);
  await page.getByLabel('Search old orders').press('Enter');
  const orders = page.getByRole('list', { name: 'Old orders' }).getByRole('listitem');
  await expect(orders).toContainText([`${mark}-2`, '31 August 2024']);
  await expect(orders.last()).toContainText('₹2,998.00, paid');
  await expectAccessible(page, 'old orders');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  for (const number of [`${mark}-1`, `${mark}-2`]) {
    await page.getByRole('button', { name: `Remove ${number}` }).click();
    await orders
      .filter({ hasText: number })
      .getByRole('button', { name: 'Remove', exact: true })
      .click();
    await expect(orders.filter({ hasText: number })).toHaveCount(0);
  }
  await expect(page.getByText('No old order says this.')).toBeVisible();
});
