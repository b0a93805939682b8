import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expect, openMore, test } from './admin-page.ts';
import { insertRows } from '#tests/browser/support/running-shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';

test('a message arrives unread, is read by opening it, answered by mail and marked so', async ({
  page,
}) => {
  const mark = `k${randomUUID().slice(0, 7)}`;
  await page.goto('/contact');
  await page.getByLabel('Full Name').fill(`Devika ${mark}`);
  await page.getByRole('main').getByLabel('Email Address').fill(`devika-${mark}@kasavu.example`);
  await page.getByLabel('Subject').fill('Ring size');
  await page.getByLabel('Message').fill('Which size fits 52 mm?\nThank you!');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expectToast(page, 'Message sent successfully!');

  await page.goto('/admin#inbox');
  const entry = page.getByRole('listitem').filter({ hasText: `Devika ${mark}` });
  await expect(entry.getByText('Unread:')).toBeAttached();
  await entry.locator('summary').press('Enter');
  await expect(entry.getByText('Which size fits 52 mm?')).toBeVisible();
  await expect(entry.getByText('Unread:')).toHaveCount(0);
  await expect(entry.getByRole('link', { name: 'Reply' })).toHaveAttribute(
    'href',
    `mailto:devika-${mark}@kasavu.example?subject=Re%3A%20Ring%20size`,
  );
  await expectAccessible(page, 'an open message');
  await entry.getByRole('button', { name: 'Answered' }).click();
  await expectToast(page, 'Marked as answered');
  await expect(entry.locator('summary')).toContainText('Answered');

  await page.reload();
  await expect(entry.locator('summary')).toContainText('Answered');
  await expect(entry.getByText('Unread:')).toHaveCount(0);
  await entry.locator('summary').press('Enter');
  await entry.getByRole('button', { name: 'Mark unread' }).click();
  await expect(entry.locator('summary')).toBeFocused();
  await expect(entry.getByText('Unread:')).toBeAttached();
});

test('a form entry shows what was sent, field by field', async ({ page }) => {
  const mark = `k${randomUUID().slice(0, 7)}`;
  await insertRows('form_entries', [
    {
      form: 'order',
      fields: {
        name: `Meera ${mark}`,
        email: 'meera@kasavu.example',
        postalCode: '680001',
        'bot-field': '',
      },
    },
  ]);
  await openMore(page);
  await page.getByRole('link', { name: 'Checkout forms' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: `Meera ${mark}` });
  await entry.locator('summary').click();
  await expect(entry.getByRole('term').filter({ hasText: 'Postal code' })).toBeVisible();
  await expect(entry.getByRole('definition').filter({ hasText: '680001' })).toBeVisible();
  await expect(entry.getByText('bot', { exact: false })).toHaveCount(0);
  await expectAccessible(page, 'the form entries');
});

test('newsletter addresses are shown with their consent, those who left or never confirmed as such, and come as a file', async ({
  page,
}) => {
  const mark = `k${randomUUID().slice(0, 7)}`;
  const consent = { consent_text: 'You agree to get news of the shop by e-mail.' };
  await insertRows('subscribers', [
    { email: `gone-${mark}@kasavu.example`, ...consent, unsubscribed_at: new Date().toISOString() },
  ]);
  await insertRows('subscribers', [{ email: `asked-${mark}@kasavu.example`, ...consent }]);
  await insertRows('subscribers', [
    { email: `reader-${mark}@kasavu.example`, ...consent, confirmed_at: new Date().toISOString() },
  ]);
  await page.goto('/admin#inbox/subscribers');
  const rows = page.getByRole('listitem');
  await expect(rows.filter({ hasText: `reader-${mark}` })).toContainText(
    'You agree to get news of the shop',
  );
  await expect(rows.filter({ hasText: `reader-${mark}` })).not.toContainText(
    /Unsubscribed|Not confirmed/u,
  );
  await expect(rows.filter({ hasText: `asked-${mark}` })).toContainText('Not confirmed');
  await expect(rows.filter({ hasText: `gone-${mark}` })).toContainText('Unsubscribed');
  await expectAccessible(page, 'the newsletter addresses');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8');
  expect(csv).toContain(`reader-${mark}@kasavu.example`);
  expect(csv).toContain('You agree to get news of the shop by e-mail.');
});
