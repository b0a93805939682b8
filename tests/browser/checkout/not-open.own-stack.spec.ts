import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import * as z from 'zod';
import { indiaCalendarDay } from '#domain/calendar-day.ts';
import { openingText } from '#domain/checkout/checkout-state.ts';
import { opensOn } from '#settings/opening.ts';
import { demoCustomer } from '#local/demo/customer.ts';
import { logInAsAdmin } from '#tests/browser/admin/admin-page.ts';
import { startWith } from '#tests/browser/account/customers.ts';
import { createOwnCustomer } from '#tests/browser/account/own-customer.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { startOwnStack, type OwnStack } from '#tests/browser/support/own-stack.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { fillDetails } from './checkout-steps.ts';

/*
 * A live site before its live keys, on stacks that start as such a site: everything can be looked at, and nothing bought but
 * by the addresses in TEST_BUYERS, which are the demo customer's.
 */
const opening = openingText(opensOn, indiaCalendarDay(new Date()));
let stack: OwnStack;

function useShop(checkout: 'test' | 'closed'): void {
  test.beforeAll(async () => {
    test.setTimeout(180_000);
    stack = await startOwnStack({ SHOP_CHECKOUT: checkout });
  });
  test.afterAll(() => stack.stop());
}

const data = async <Schema extends z.ZodType>(name: string, schema: Schema) =>
  schema.parse(JSON.parse(await readFile(join(stack.folder, name), 'utf8')));
const runningSchema = z.object({ adminPassword: z.string() });

/** Puts a piece into the cart and opens it. */
async function openCart(page: Page): Promise<void> {
  await page.goto(`${stack.url}/shop`);
  await page
    .getByRole('article')
    .getByRole('button', { name: /add to cart/iu })
    .first()
    .click();
  await page.goto(`${stack.url}/cart`);
  await expect(page.getByText(`Our checkout ${opening}.`)).toBeVisible();
  await expect(page.getByRole('button', { name: new RegExp(`^${opening}$`, 'iu') })).toBeDisabled();
  await expect(page.getByRole('link', { name: 'write to us on WhatsApp' })).toHaveAttribute(
    'href',
    /wa\.me/u,
  );
}

async function logIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByRole('button', { name: 'Already have an account? Login' }).click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

/** Goes from the cart to the details, as a tester of the shop; `between` is a login. */
async function openDetails(page: Page, between = () => Promise.resolve()): Promise<Locator> {
  await openCart(page);
  await page.getByRole('button', { name: 'I test the shop: proceed' }).click();
  await between();
  return page.getByRole('dialog', { name: 'Contact Information' });
}

test.describe('without keys', () => {
  useShop('closed');
  test('nobody is led to the checkout, and the cart says whom to ask', async ({ page }) => {
    await openCart(page);
    await expect(page.getByRole('button', { name: 'I test the shop: proceed' })).toHaveCount(0);
    await expectAccessible(page, 'the cart of a shop that is not open');
  });
});

test.describe('with test keys', () => {
  useShop('test');
  test('a stranger cannot order, a named address can, and its order is a test and no income', async ({
    page: strangersPage,
    context,
    browser,
    expectProblem,
  }) => {
    expectProblem(/403/u);
    const stranger = await createOwnCustomer(stack);
    await startWith(context, { customer: stranger });
    const dialog = await openDetails(strangersPage);
    await fillDetails(dialog, stranger.email);
    await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
    await expect(
      strangersPage.getByText(`Our checkout ${opening}. Your cart is kept.`).first(),
    ).toBeVisible();

    const page = await (await browser.newContext()).newPage();
    const known = await openDetails(page, () => logIn(page, demoCustomer));
    await expect(known.getByText('Deliver to:')).toBeVisible();
    await known.getByRole('button', { name: 'Proceed to Payment' }).click();
    await page
      .frameLocator('iframe[title="Razorpay sandbox"]')
      .getByRole('button', { name: 'Pay', exact: true })
      .click();
    await page.waitForURL(/\/order-success\?/u);
    await expect(page.getByText(/^Test order #\d+$/u)).toBeVisible();
    await page.goto(`${stack.url}/profile#orders`);
    await expect(page.getByRole('heading', { name: /^Test order #\d+$/u })).toBeVisible();

    const admin = await page.context().newPage();
    await admin.goto(`${stack.url}/admin#orders`);
    await logInAsAdmin(admin, (await data('running.json', runningSchema)).adminPassword);
    await expect(admin.getByText('open to look at and closed to buy')).toBeVisible();
    // The stranger's attempt left no order.
    const rows = admin.locator('[data-order]');
    await expect(rows).toHaveCount(1);
    await expect(rows.getByText('Test', { exact: true })).toBeVisible();
    await admin.goto(`${stack.url}/admin#figures`);
    // The average of no orders.
    await expect(admin.getByText('–', { exact: true })).toBeVisible();
  });
});
