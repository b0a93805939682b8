/*
 * A day of the owner's on a 360 px phone with a slow processor: `npm run bench -- admin-day`. Prints each task with its taps,
 * the fields that are typed into, and the longest wait from a tap to what it was for. docs/admin-day.md tells the day.
 */
import sharp from 'sharp';
import { openSession } from '../browser/account/shoppers.ts';
import { runningShop } from '../browser/support/running-shop.ts';
import { spendDay } from './support/phone-day.ts';
import { buy, insertRing } from './support/purchase.ts';

await spendDay(async ({ stack, page, button, task, tap, type, choose, wait }) => {
  const { adminPassword, shopper } = runningShop();
  const { access_token: token } = (await openSession(shopper)).session;
  const product = await insertRing('Day ring', 50);
  for (let count = 0; count < 3; count += 1) await buy(stack, { token, product });
  const toast = (text: string) => page.locator('.toast').filter({ hasText: text }).first();
  const bar = page.getByRole('navigation', { name: 'Admin' });

  await task('Open the page and log in', async () => {
    await page.goto('/admin');
    await type(page.getByLabel('Password', { exact: true }), adminPassword);
    await tap(button(/Log ?in/iu), page.getByRole('heading', { name: 'Products' }));
  });
  await task('Pack an order and send it, with its number', async () => {
    await tap(bar.getByRole('link', { name: /Orders/u }), page.locator('[data-order]').first());
    await tap(
      page.locator('[data-order]').first(),
      page.getByRole('heading', { name: 'Deliver to' }),
    );
    await tap(button('Mark packed'), button('Undo ‘Packed’'));
    const dialog = page.getByRole('dialog', { name: /^Ship order/u });
    await tap(button('Mark shipped'), dialog);
    await tap(dialog.getByRole('button', { name: 'DTDC' }), dialog.getByLabel('Tracking number'));
    await type(dialog.getByLabel('Tracking number'), 'D77001234');
    await tap(dialog.getByRole('button', { name: 'Mark shipped' }), button(/Undo/u));
  });
  await task('Refund one piece of an order', async () => {
    const refund = page.getByRole('dialog', { name: /^Refund order/u });
    await tap(button('Refund'), refund);
    await tap(
      refund.getByRole('button', { name: 'The whole order' }),
      refund.getByLabel('Reason', { exact: true }),
    );
    await type(refund.getByLabel('Reason', { exact: true }), 'It came bent');
    await tap(
      refund.getByRole('button', { name: /^Refund ₹/u }),
      refund.getByRole('button', { name: /^Yes, refund/u }),
    );
    await tap(refund.getByRole('button', { name: /^Yes, refund/u }), refund, 'hidden');
  });
  await task('A sale at an exhibition, paid in cash', async () => {
    await tap(
      bar.getByRole('link', { name: /Orders/u }),
      page.getByRole('link', { name: 'New order' }),
    );
    await tap(page.getByRole('link', { name: 'New order' }), page.getByLabel('Find a piece'));
    await type(page.getByLabel('Find a piece'), 'Day ring');
    await tap(button('Add Day ring'), page.getByRole('list', { name: 'Chosen pieces' }));
    await type(page.getByLabel('Name', { exact: true }), 'Devika Nair');
    await type(page.getByLabel('Phone', { exact: true }), '9000000001');
    await tap(page.getByLabel('Handed over: nothing is sent'), page.getByLabel('Paid in cash'));
    await tap(page.getByLabel('Paid in cash'), page.getByLabel('Your reference (optional)'));
    await tap(button(/^Make the order/u), toast('is created'));
  });
  await task('A price and a stock, changed in the list', async () => {
    await tap(
      bar.getByRole('link', { name: /Products/u }),
      page.getByRole('table', { name: 'Products' }),
    );
    await type(page.getByLabel('Search', { exact: true }), 'Day ring');
    const form = page.getByRole('form', { name: 'Price and stock of Day ring' });
    await tap(button(/^Change price and stock of Day ring/u), form);
    await type(form.getByLabel('Price (₹)', { exact: true }), '120');
    await tap(
      form.getByRole('button', { name: 'One more' }),
      form.getByRole('button', { name: 'Save' }),
    );
    await tap(form.getByRole('button', { name: 'Save' }), toast('Updated'));
  });
  await task('A new piece with its photograph', async () => {
    const dialog = page.getByRole('dialog', { name: 'Add Product' });
    await tap(button('Add Product'), dialog);
    await type(dialog.getByLabel('Name', { exact: true }), 'Day bangle');
    await type(dialog.getByLabel('Price (₹)', { exact: true }), '899');
    await choose(dialog.getByLabel('Category'), 'bracelets');
    await type(dialog.getByLabel('Stock'), '3');
    const photograph = await sharp({
      create: {
        width: 2_000,
        height: 2_000,
        channels: 3,
        background: '#b8860b',
        noise: { type: 'gaussian', mean: 128, sigma: 20 },
      },
    })
      .jpeg({ quality: 90 })
      .toBuffer();
    await wait(2, async () => {
      await dialog
        .locator('input[type="file"]')
        .first()
        .setInputFiles({ name: 'bangle.jpg', mimeType: 'image/jpeg', buffer: photograph });
      await dialog.getByLabel('Description of picture 1').waitFor();
    });
    await tap(dialog.getByRole('button', { name: 'Save' }), dialog, 'hidden');
  });
});
