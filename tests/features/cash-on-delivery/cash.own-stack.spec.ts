import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import * as z from 'zod';
import { advanceOf, type CashTerms } from '#domain/sums/payment-way.ts';
import { formatRupees } from '#domain/money.ts';
import { startWith } from '#tests/browser/account/customers.ts';
import { createOwnCustomer } from '#tests/browser/account/own-customer.ts';
import { logInAsAdmin } from '#tests/browser/admin/admin-page.ts';
import { addFromShop, fillDetails, openDetails } from '#tests/browser/checkout/checkout-steps.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { otherPin, pin } from '#tests/browser/support/destination.ts';
import type { OwnStack } from '#tests/browser/support/own-stack.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { expect, test as shopTest } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import { startCashShop } from './cash-shop.ts';

/* Shops with cash on delivery, on stacks of their own: the shop under test need not have it. */
const ring = { name: 'Piriyan Rope Band', price: 69_900 };
const total = ring.price + sampleCash.charge;

const test = shopTest.extend<{ terms: CashTerms; stack: OwnStack }>({
  terms: [sampleCash, { option: true }],
  stack: [
    async ({ terms }, use) => {
      const stack = await startCashShop({ ...terms, pins: [pin] });
      await use(stack);
      await stack.stop();
    },
    { timeout: 180_000 },
  ],
  baseURL: async ({ stack }, use) => {
    await use(stack.url);
  },
});

const wayOf = (details: Locator, name: 'Pay now' | 'Cash on delivery'): Locator =>
  details.getByRole('group', { name: 'Payment' }).getByRole('radio', { name, exact: true });

/** Waits until all of the choice can be seen without scrolling: it ends above the foot of the dialog. */
async function expectChoiceInView(details: Locator): Promise<void> {
  const bottomOf = async (part: Locator): Promise<number> => {
    const box = await part.boundingBox();
    return box === null ? Number.NaN : box.y + box.height;
  };
  const foot = details.getByRole('button', { name: 'Proceed to Payment' });
  const choice = details.getByRole('group', { name: 'Payment' });
  await expect
    .poll(async () => (await bottomOf(foot)) - (await bottomOf(choice)))
    .toBeGreaterThan(48);
}

/** Waits for the confirmation page of an order. Returns what it shows of it, and its number. */
async function readConfirmation(page: Page): Promise<{ bought: Locator; number: string }> {
  await page.waitForURL(/\/order-success\?/u);
  await expect(page.getByRole('heading', { name: 'Thank You for Your Order!' })).toBeVisible();
  const title = page.getByText(/^Order #\d+$/u);
  await expect(title).toBeVisible();
  const number = ((await title.textContent()) ?? '').replace('Order #', '');
  return { bought: page.getByRole('region', { name: 'Your order' }), number };
}

/** Confirms the order that is open in the admin page, and ships it. */
async function confirmAndShip(page: Page, number: string, tracking: string): Promise<void> {
  await page.getByRole('button', { name: 'Confirm the order' }).click();
  await expectToast(page, `Order ${number} is confirmed`);
  await expect(page.getByRole('button', { name: 'The cash is here' })).toBeVisible();
  await page.getByRole('button', { name: 'Mark packed' }).click();
  await expectToast(page, `Order ${number} is packed`);
  await page.getByRole('button', { name: 'Mark shipped' }).click();
  const dialog = page.getByRole('dialog', { name: `Ship order ${number}` });
  await dialog.getByLabel('Carrier', { exact: true }).fill('Delhivery');
  await dialog.getByLabel(/^Tracking number/u).fill(tracking);
  await dialog.getByRole('button', { name: 'Mark shipped' }).click();
  await expectToast(page, `Order ${number} is shipped`);
}

test('a customer orders for cash, the shop confirms and sends it, and a courier’s list pays it; a parcel that is refused ends the offer', async ({
  page,
  context,
  stack,
}) => {
  const customer = await createOwnCustomer(stack);
  await startWith(context, { customer });
  await addFromShop(page, ring.name);
  let details = await openDetails(page);
  await expect(wayOf(details, 'Pay now')).toBeChecked();
  await expect(details.getByText('Give your phone number and PIN code first.')).toBeVisible();
  await fillDetails(details, customer.email);
  await details.getByLabel('Postal Code', { exact: true }).fill(otherPin);
  await expect(details.getByText('Couriers do not take cash at this PIN code.')).toBeVisible();
  await expect(wayOf(details, 'Cash on delivery')).toBeDisabled();
  await expectAccessible(page, 'the details without cash on delivery');
  await details.getByLabel('Postal Code', { exact: true }).fill(pin);
  const steps = details.getByRole('list', { name: 'Steps' });
  await expect(steps).toHaveText('Details· Payment');
  await wayOf(details, 'Cash on delivery').check();
  await expect(steps).toHaveText('Details· Confirmation');
  await expect(details.locator('summary').first()).toContainText(formatRupees(total));
  await expectAccessible(page, 'the details with cash on delivery');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await details.getByRole('button', { name: 'Place Order' }).click();
  const { bought, number } = await readConfirmation(page);
  await expect(page.getByText(/successfully placed/u)).toBeVisible();
  await expect(bought).toContainText(`Cash at the door${formatRupees(total)}`);

  await page.goto('/profile#orders');
  const order = page.getByRole('article', { name: `Order #${number}` });
  await expect(order).toContainText('To be confirmed');
  await expect(order).toContainText('We call you or write to you on WhatsApp');
  await page.goto('/cart');
  await expect(page.getByText(/your cart is empty/iu)).toBeVisible();

  await addFromShop(page, ring.name);
  details = await openDetails(page);
  await fillDetails(details, customer.email);
  await wayOf(details, 'Cash on delivery').check();
  await details.getByRole('button', { name: 'Place Order' }).click();
  expect((await readConfirmation(page)).number).toBe(number);
  await expect(page.getByText('You have ordered this cart already')).toBeVisible();
  await expect(page.getByText(/successfully placed/u)).toBeHidden();
  await expectAccessible(page, 'an order that was placed before');

  await page.goto('/admin#orders?filter=to_confirm');
  const running: unknown = JSON.parse(readFileSync(join(stack.folder, 'running.json'), 'utf8'));
  await logInAsAdmin(page, z.object({ adminPassword: z.string() }).parse(running).adminPassword);
  await expect(page.getByRole('link', { name: 'Orders 1 to confirm or pack' })).toBeVisible();
  await page.getByRole('link', { name: `Order ${number}` }).click();
  const message = await page.getByRole('link', { name: /^Ask by WhatsApp/u }).getAttribute('href');
  expect(message).toMatch(/^https:\/\/wa\.me\/91\d{10}\?text=/u);
  expect(decodeURIComponent(message ?? '')).toContain(`order ${number}`);
  await expectAccessible(page, 'an order to confirm');
  await confirmAndShip(page, number, 'D12345678');
  await expectAccessible(page, 'an order whose cash is to come');

  await page.goto('/admin#orders');
  await page.getByRole('button', { name: 'Cash from a courier' }).click();
  const list = page.getByRole('dialog', { name: 'Cash from a courier' });
  await list.getByLabel('Choose file').setInputFiles({
    name: 'remittance.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`AWB,COD Amount,UTR\nD12345678,${String(total / 100)},UTR77\nD9,10,\n`),
  });
  await expect(list.getByText('1 order would be recorded as paid')).toBeVisible();
  await expect(list.getByRole('region', { name: 'Not found (1)' })).toContainText('D9');
  await expectAccessible(page, 'cash from a courier');
  await list.getByRole('button', { name: 'Record 1 order as paid' }).click();
  await expectToast(page, '1 order paid', formatRupees(total));
  await list.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.goto(`/admin#orders/${number}`);
  await expect(page.getByText(/^The cash came on .* \(UTR77\)\.$/u)).toBeVisible();

  // The phone and the PIN code are known now: nothing is left to type.
  await addFromShop(page, ring.name);
  details = await openDetails(page);
  await expect(details.getByText('Deliver to:')).toBeVisible();
  await expectChoiceInView(details);
  await wayOf(details, 'Cash on delivery').check();
  await details.getByRole('button', { name: 'Place Order' }).click();
  const { number: second } = await readConfirmation(page);
  await page.goto(`/admin#orders/${second}`);
  await confirmAndShip(page, second, 'D12345679');
  await page.getByRole('button', { name: 'Refused at the door' }).click();
  const refused = page.getByRole('dialog', { name: `Order ${second} was refused at the door?` });
  await refused.getByLabel(/^What the courier says/u).fill('Nobody at home');
  await expectAccessible(page, 'a parcel that was refused');
  await refused.getByRole('button', { name: 'Yes, it comes back' }).click();
  await expectToast(page, `Order ${second} came back`);
  await expect(page.getByText('Nobody at home').first()).toBeVisible();
  await expectAccessible(page, 'an order that came back');

  await addFromShop(page, ring.name);
  details = await openDetails(page);
  await expect(
    details.getByText('Cash on delivery is not possible for this account or phone'),
  ).toBeVisible();
  await expect(wayOf(details, 'Cash on delivery')).toBeDisabled();

  await page.goto(`/admin#orders/${second}`);
  await page.getByRole('button', { name: `Forgive order ${second}` }).click();
  await expectToast(page, `Order ${second} is forgiven`);
  await expect(page.getByRole('heading', { name: `Order ${second}` })).toBeFocused();
  await expect(page.getByText('Nobody at home')).toHaveCount(0);
  await openDetails(page);
  await expect(wayOf(details, 'Cash on delivery')).toBeEnabled();
});

test.describe('with an advance', () => {
  const terms: CashTerms = { ...sampleCash, advance: { percent: 20 } };
  const advance = advanceOf(total, terms);
  test.use({ terms });
  test('the advance is paid online, and the confirmation says what is left for the door', async ({
    page,
    context,
    stack,
  }) => {
    const customer = await createOwnCustomer(stack);
    await startWith(context, { customer });
    await addFromShop(page, ring.name);
    const details = await openDetails(page);
    await fillDetails(details, customer.email);
    await wayOf(details, 'Cash on delivery').check();
    await expect(details.getByRole('list', { name: 'Steps' })).toHaveText('Details· Payment');
    await expect(details.getByRole('group', { name: 'Payment' })).toContainText(
      `${formatRupees(advance)} now, and ${formatRupees(total - advance)} in cash`,
    );
    await details.getByRole('button', { name: `Pay ${formatRupees(advance)} now` }).click();
    const sandbox = page
      .frameLocator('iframe[title="Razorpay sandbox"]')
      .getByRole('dialog', { name: 'Razorpay sandbox' });
    await expect(sandbox).toContainText(formatRupees(advance));
    await sandbox.getByRole('button', { name: 'Pay', exact: true }).click();
    const { bought } = await readConfirmation(page);
    await expect(bought).toContainText(`Advance, paid online${formatRupees(advance)}`);
    await expect(bought).toContainText(`Cash at the door${formatRupees(total - advance)}`);
    await expect(bought).toContainText('to confirm this order by');
  });
});
