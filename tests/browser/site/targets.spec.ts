import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { test as adminTest } from '#tests/browser/admin/admin-page.ts';
import { openSession, startWith } from '#tests/browser/account/customers.ts';
import { filterButton } from '#tests/browser/support/listing-fields.ts';
import { untilDrawn } from '#tests/browser/support/page-state.ts';
import { demoCustomer, insertRows } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { shop as settings } from '#settings/shop.ts';

interface Targets {
  /** Controls that were measured within the expected part of the page. */
  measured: number;
  /** The controls of the whole page that are too small. */
  small: string[];
}

/**
 * Finds the controls of the page that are smaller than 44 px in either direction (WCAG 2.5.5). A field has its label's
 * target, too. Links within a sentence are excepted.
 */
const measureTargets = (part: Locator): Promise<Targets> =>
  part.evaluate((expected) => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, summary, input:not([type="hidden"]), select, textarea, [role="button"], [tabindex="0"]',
    );
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }) &&
      element.closest('[inert], .visually-hidden, .skip-link') === null;
    const inSentence = (link: HTMLElement) => {
      let around: HTMLElement | null = link;
      while (around && getComputedStyle(around).display === 'inline') around = around.parentElement;
      return (
        around !== link && (around?.innerText.trim().length ?? 0) > link.innerText.trim().length
      );
    };
    // Dots of images answer keys and screen readers; a finger presses the bar that holds them.
    const pressed = (control: HTMLElement) =>
      getComputedStyle(control).pointerEvents === 'none'
        ? (control.parentElement ?? control)
        : control;
    const boxes = (control: HTMLElement) => {
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
      return [pressed(control), ...labels].map((element) => element.getBoundingClientRect());
    };
    const measured = [...controls].filter(
      (control) =>
        isSeen(control) && !inSentence(control) && boxes(control).every(({ width }) => width > 0),
    );
    const small = measured.flatMap((control) => {
      const all = boxes(control);
      // Half a pixel is lost to rounding.
      if (all.some(({ width, height }) => width >= 43.5 && height >= 43.5)) return [];
      const sizes = all.map(({ width, height }) => `${width.toFixed(0)}×${height.toFixed(0)}`);
      const name = control.ariaLabel ?? control.innerText.trim().slice(0, 40);
      return [
        `${control.tagName.toLowerCase()} “${name}” .${control.className}: ${sizes.join(', ')}`,
      ];
    });
    return {
      measured: measured.filter((control) => expected.contains(control)).length,
      small: [...new Set(small)],
    };
  });

/**
 * Expects that every control of the page is large enough.
 *
 * @param part - What arrives last in this state: a control, or a part with controls. The check fails when none is measured.
 */
async function expectLargeTargets(page: Page, state: string, part: Locator): Promise<void> {
  await expect(part.first()).toBeVisible();
  await untilDrawn(page);
  const { measured, small } = await measureTargets(part.first());
  expect(measured, `measured controls of ${state}`).toBeGreaterThan(0);
  expect.soft(small, state).toEqual([]);
}

test('a finger has 44 px for every control of the shop’s pages', async ({ page, context }) => {
  await page.goto('/shop');
  const product = await page.locator('.card-name a').first().getAttribute('href');
  const main = page.getByRole('main');
  const pages = {
    '/': page.getByRole('article'),
    '/shop': page.getByRole('article'),
    [product ?? '']: page.getByRole('button', { name: 'Add to Cart', exact: true }),
    '/cart': main.getByRole('link'),
    '/wishlist': main.getByRole('link', { name: 'Shop Collection' }),
    '/auth': main.getByRole('button'),
    '/contact': main.getByRole('button'),
    '/about': page.getByRole('contentinfo'),
    '/shipping-policy': page.getByRole('contentinfo'),
    '/size-guide': page.getByRole('contentinfo'),
  };
  for (const [path, part] of Object.entries(pages)) {
    await page.goto(path);
    await expectLargeTargets(page, path, part);
  }
  await page.goto('/shop');
  await page
    .getByRole('button', { name: /^Add to Cart: / })
    .first()
    .click();
  await page.goto('/cart');
  await expectLargeTargets(
    page,
    'a cart with a product',
    page.getByRole('button', { name: /^Increase quantity of/ }),
  );
  await page.goto('/shop');
  await filterButton(page).click();
  await expectLargeTargets(page, 'the filter', page.locator('dialog[open]'));
  await startWith(context, { customer: await openSession(demoCustomer()) });
  await page.goto('/profile');
  const tabs = page.getByRole('tab');
  await expectLargeTargets(page, 'the account', tabs);
  for (const tab of await tabs.all()) {
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expectLargeTargets(page, `the account, ${await tab.innerText()}`, tab);
  }
});

adminTest('a finger has 44 px for every control of the owner’s pages', async ({ page }) => {
  const name = `Meera k${randomUUID().slice(0, 7)}`;
  await insertRows('orders', [
    {
      merchant_transaction_id: `${settings.orderPrefix}${randomUUID().slice(0, 20)}`,
      customer_name: name,
      customer_phone: `+91 9${String(Date.now()).slice(-9)}`,
      created_at: '2011-05-02T06:00:00Z',
      paid_at: '2011-05-02T06:00:00Z',
      status: 'COMPLETED',
      payment_status: 'COMPLETED',
      fulfilment: 'delivered',
      total_paise: 100_000,
      items: [{ product_id: randomUUID(), name: 'Kasu mala', quantity: 1, price: 1000 }],
    },
  ]);
  const email = `${randomUUID()}@kasavu.example`;
  await insertRows('contact_messages', [{ name, email, message: 'Hello' }]);
  await insertRows('form_entries', [{ form: 'order', fields: { name } }]);
  await insertRows('subscribers', [
    { email, consent_text: 'You agree.', confirmed_at: new Date().toISOString() },
  ]);
  const query = `?q=${encodeURIComponent(name)}`;
  const order = page.locator('[data-order]').filter({ hasText: name });
  const views = {
    '#today': page.locator('.today-tile'),
    '#': page.getByRole('table', { name: 'Products' }).locator('.product-cell-name a'),
    [`#orders${query}`]: order,
    '#orders/new': page.getByLabel('Name', { exact: true }),
    '#more': page.getByRole('button', { name: 'Import, export' }),
    [`#customers${query}`]: page.getByRole('link').filter({ hasText: name }),
    '#figures': page.getByRole('button', { name: 'Week', exact: true }),
    '#inbox': page.getByRole('listitem').filter({ hasText: name }),
    '#inbox/forms': page.getByRole('listitem').filter({ hasText: name }),
    '#inbox/subscribers': page.getByRole('link', { name: 'Download CSV' }),
  };
  for (const [view, part] of Object.entries(views)) {
    await page.goto(`/admin${view}`);
    await expectLargeTargets(page, view, part);
  }
  await page.goto(`/admin#orders${query}`);
  await order.click();
  await expect(page.getByRole('heading', { name: 'Deliver to' })).toBeVisible();
  await expectLargeTargets(page, 'an order', page.getByRole('main'));
});
