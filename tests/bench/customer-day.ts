/*
 * A new customer's day on a 360 px phone with a slow processor: `npm run bench -- customer-day`. Prints each task with its taps,
 * the fields that are typed into, the longest wait from a tap to what it was for, and the slowest event.
 */
import { waitForCode } from '#tests/browser/account/mailbox.ts';
import { newCredentials } from '#tests/browser/account/customers.ts';
import { spendDay } from './support/phone-day.ts';

const ring = 'Thamara Lotus Ring';
const { email, password } = newCredentials();

await spendDay(async ({ page, button, link, field, toast, task, tap, type, choose, wait }) => {
  await task('From the home page to a ring, and into the cart', async () => {
    await page.goto('/');
    const card = page.getByRole('link', { name: ring }).first();
    await tap(link('Rings'), button(/^Sort and filter/u));
    await tap(card, page.getByRole('heading', { level: 1, name: ring }));
    await tap(button('Add to Cart'), toast(''));
  });
  await task('Look around: a search, a filter, another order, a heart', async () => {
    await page.goto('/shop');
    const silver = page.getByRole('checkbox', { name: /^Silver/u });
    await type(page.getByLabel('Search products'), 'ring');
    await tap(button(/^Sort and filter/u), silver);
    await tap(silver, page.locator('[data-show-results]'));
    await choose(page.getByLabel('Sort by'), { index: 2 });
    await tap(page.locator('[data-show-results]'), silver, 'hidden');
    await tap(button(/^Add .* to wishlist/u), toast(''));
  });
  await task('An account, confirmed by the code of a mail, back to the cart', async () => {
    await tap(link(/^Cart/u), button('Proceed to Checkout'));
    await tap(button('Proceed to Checkout'), page.getByRole('heading', { name: 'Sign Up' }));
    await type(field('Email'), email);
    await type(field('Password'), password);
    const code = page.getByLabel(/^Enter the 8-digit code/u);
    await tap(button('Sign Up'), code);
    const digits = await waitForCode(email, 'confirm');
    // The last digit sends the code.
    await wait(0, async () => {
      await type(code, digits);
      await page.waitForURL('**/cart');
    });
  });
  await task('Details and payment', async () => {
    // The checkout opens again by itself.
    const dialog = page.getByRole('dialog', { name: 'Contact Information' });
    await dialog.waitFor();
    for (const [label, value] of [
      ['Name', 'Devika Nair'],
      ['Phone', '+91 98470 12345'],
      ['Address', '14 Temple Road, Vadakkumnathan West'],
      ['Postal Code', '680001'],
    ] as const)
      await type(field(label, dialog), value);
    await dialog.getByText('From the PIN code').waitFor();
    const sandbox = page
      .frameLocator('iframe[title="Razorpay sandbox"]')
      .getByRole('dialog', { name: 'Razorpay sandbox' });
    await tap(button('Proceed to Payment', dialog), sandbox);
    await tap(button('Pay', sandbox), link('See your order'));
  });
  await task('Where the order stands', async () => {
    await tap(link('See your order'), page.getByRole('article').filter({ hasText: ring }));
  });
});
