import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../support/accessible.ts';
import { expect, test } from './admin-page.ts';
import { expectToast } from '../support/toasts.ts';

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
