import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { expect, test } from '#tests/browser/admin/admin-page.ts';

/**
 * Words that a shop with the feature alone has: the details' button and question, the page of an order that was placed before, the
 * count of the admin's bar, the courier's list.
 */
const words = [
  'Place Order',
  '/api/cash-on-delivery',
  'You have ordered this cart already',
  'to confirm or pack',
  'Cash from a courier',
];

/** What the admin needs for orders that were placed before cash was switched off. */
const ofOpenOrders = ['Confirm the order', 'The cash is here', 'Refused at the door'];

test('a shop without cash on delivery carries no word of it but for the orders that are open, and one with it all of them', () => {
  const dist = join(process.env['SHOP_DATA_DIR'] ?? '.local', 'dist');
  const files = globSync('**/*.{js,html}', { cwd: dist });
  const text = files.map((path) => readFileSync(join(dist, path), 'utf8')).join('\n');
  expect(text).toContain('Proceed to Payment');
  expect(ofOpenOrders.filter((word) => text.includes(word))).toEqual(ofOpenOrders);
  expect(words.filter((word) => text.includes(word))).toEqual(cashOnDelivery === null ? [] : words);
});

test('the list of orders has the filter To confirm only where orders can wait for it', async ({
  page,
}) => {
  await page.goto('/admin#orders');
  const filters = page.getByRole('group', { name: 'Show' }).getByRole('button');
  await expect(filters.filter({ hasText: /^To pack \d/u })).toBeVisible();
  await expect(filters.filter({ hasText: /^To confirm/u })).toHaveCount(
    cashOnDelivery === null ? 0 : 1,
  );
});
