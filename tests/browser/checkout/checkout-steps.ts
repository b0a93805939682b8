import type { Locator, Page } from '@playwright/test';
import { expect } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { pin } from '#tests/browser/support/destination.ts';

const delivery = {
  Name: 'Anjali Menon',
  Phone: '+91 98470 12345',
  Address: '14 Temple Road, Vadakkumnathan West',
  City: 'Thrissur',
  'Postal Code': pin,
} as const;

/** Puts a product into the cart from its card in the shop. */
export async function addFromShop(page: Page, name: string): Promise<void> {
  await page.goto('/shop');
  await page
    .getByRole('article')
    .filter({ hasText: name })
    .getByRole('button', { name: /add to cart/iu })
    .click();
  await expectToast(page, 'Added to cart!');
}

/** Fills the details of the checkout's dialog. */
export async function fillDetails(dialog: Locator, email: string): Promise<void> {
  for (const [label, value] of Object.entries({ ...delivery, Email: email })) {
    await dialog.getByLabel(label, { exact: true }).fill(value);
  }
}

/** Opens the details dialog from the cart. */
export async function openDetails(page: Page): Promise<Locator> {
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Contact Information' });
  await expect(
    dialog.getByText('Please provide your contact details so we can reach you about your order.'),
  ).toBeVisible();
  return dialog;
}

/** Goes from the cart to the sandbox's payment dialog, in its frame over the page, and fills the details form. Returns the dialog. */
export async function proceedToPayment(page: Page, email: string): Promise<Locator> {
  await submitDetails(page, email);
  const sandbox = page
    .frameLocator('iframe[title="Razorpay sandbox"]')
    .getByRole('dialog', { name: 'Razorpay sandbox' });
  await expect(sandbox).toBeVisible();
  return sandbox;
}

/** Goes from the cart to where the provider takes over. */
export async function submitDetails(page: Page, email: string): Promise<void> {
  const dialog = await openDetails(page);
  await fillDetails(dialog, email);
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
}
