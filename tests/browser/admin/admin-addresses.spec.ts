import type { Page } from '@playwright/test';
import { expect, test } from './admin-page.ts';

/** Goes to another hash at the moment when a heading appears: before the new view's effects, or after them. */
async function leaveOnceShown(
  page: Page,
  heading: string,
  next: string,
  when: 'before the effects' | 'after them',
): Promise<void> {
  await page.evaluate(
    ([title, hash, moment]) => {
      const leave = () => {
        location.hash = hash;
      };
      const observer = new MutationObserver(() => {
        if (![...document.querySelectorAll('h2')].some((h2) => h2.textContent === title)) return;
        observer.disconnect();
        if (moment === 'before the effects') leave();
        else setTimeout(leave);
      });
      observer.observe(document.body, { childList: true, subtree: true });
    },
    [heading, next, when] as const,
  );
}

const lists = [
  { list: 'customers', hash: '#customers?sort=spent', other: '#customers?sort=orders' },
  { list: 'orders', hash: '#orders?filter=to_pack', other: '#orders?filter=packed' },
  { list: 'products', hash: '#?stock=low', other: '#?stock=out' },
] as const;

for (const { list, hash, other } of lists) {
  test(`a tap right after the list of ${list} appears is not lost`, async ({ page }) => {
    const heading = `${list.charAt(0).toUpperCase()}${list.slice(1)}`;
    const shown = {
      '#orders/new': page.getByRole('heading', { name: 'New order' }),
      '#customers?sort=orders': page.getByRole('button', { name: 'Most orders', pressed: true }),
      '#orders?filter=packed': page.getByRole('button', { name: /^Packed/u, pressed: true }),
      '#?stock=out': page.getByLabel('Stock', { exact: true }).locator('option:checked[value=out]'),
    };
    for (const next of ['#orders/new', other] as const) {
      for (const when of ['before the effects', 'after them'] as const) {
        const tap = `${next} ${when}`;
        await page.goto('/admin#figures');
        await expect(page.getByRole('button', { name: 'Week', exact: true })).toBeVisible();
        await leaveOnceShown(page, heading, next, when);
        await page.evaluate((first) => {
          location.hash = first;
        }, hash);
        await expect(page, tap).toHaveURL(`/admin${next}`);
        await expect(shown[next], tap).toBeAttached();
        await page.goBack();
        await expect(page.getByRole('heading', { name: heading, exact: true }), tap).toBeVisible();
        await expect(page, tap).toHaveURL(`/admin${hash}`);
      }
    }
  });
}
