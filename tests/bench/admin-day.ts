/*
 * A day of the owner's on a 360 px phone with a slow processor: `npm run bench -- admin-day`. Prints each task with its taps,
 * the fields that are typed into, and the longest wait from a tap to what it was for. docs/admin-day.md tells the day.
 */
import sharp from 'sharp';
import { openSession } from '#tests/browser/account/customers.ts';
import { demoCustomer, runningShop } from '#tests/browser/support/running-shop.ts';
import { spendDay } from './support/phone-day.ts';
import { buy, insertRing } from './support/purchase.ts';

await spendDay(
  async ({ stack, page, button, link, field, toast, task, tap, type, choose, wait }) => {
    const { adminPassword } = runningShop();
    const { access_token: token } = (await openSession(demoCustomer())).session;
    const product = await insertRing('Day ring', 50);
    for (let count = 0; count < 3; count += 1) await buy(stack, { token, product });

    await task('Open the page and log in', async () => {
      await page.goto('/admin');
      await type(field('Password'), adminPassword);
      await tap(button(/Log ?in/iu), page.getByRole('heading', { name: 'Products' }));
    });
    await task('Pack an order and send it, with its number', async () => {
      const order = page.locator('[data-order]').first();
      await tap(link(/^Orders/u), order);
      await tap(order, page.getByRole('heading', { name: 'Deliver to' }));
      await tap(button('Mark packed'), button('Undo ‘Packed’'));
      const dialog = page.getByRole('dialog', { name: /^Ship order/u });
      await tap(button('Mark shipped'), dialog);
      await tap(button('DTDC', dialog), field(/^Tracking number/u, dialog));
      await type(field(/^Tracking number/u, dialog), 'D77001234');
      await tap(button('Mark shipped', dialog), button(/Undo/u));
    });
    await task('Refund one product of an order', async () => {
      const refund = page.getByRole('dialog', { name: /^Refund order/u });
      await tap(button('Refund'), refund);
      await tap(button('The whole order', refund), field('Reason', refund));
      await type(field('Reason', refund), 'It came bent');
      await tap(button(/^Refund ₹/u, refund), button(/^Yes, refund/u, refund));
      await tap(button(/^Yes, refund/u, refund), refund, 'hidden');
    });
    await task('A sale at an exhibition, paid in cash', async () => {
      await tap(link(/^Orders/u), link('New order'));
      await tap(link('New order'), field(/^Find a product/u));
      await type(field(/^Find a product/u), 'Day ring');
      await tap(button('Add Day ring'), page.getByRole('list', { name: 'Chosen products' }));
      await type(field('Name'), 'Devika Nair');
      await type(field('Phone'), '9000000001');
      await tap(page.getByLabel('Handed over: nothing is sent'), page.getByLabel('Paid in cash'));
      await tap(page.getByLabel('Paid in cash'), page.getByLabel('Your reference (optional)'));
      await tap(button(/^Make the order/u), toast('is created'));
    });
    await task('A price and a stock, changed in the list', async () => {
      await tap(link(/^Products/u), page.getByRole('table', { name: 'Products' }));
      await type(field('Search'), 'Day ring');
      const form = page.getByRole('form', { name: 'Price and stock of Day ring' });
      await tap(button(/^Change price and stock of Day ring/u), form);
      await type(field('Price (₹)', form), '120');
      await tap(button('One more', form), button('Save', form));
      await tap(button('Save', form), toast('Updated'));
    });
    await task('A new product with its photograph', async () => {
      const dialog = page.getByRole('dialog', { name: 'Add Product' });
      await tap(button('Add Product'), dialog);
      await type(field('Name', dialog), 'Day bangle');
      await type(field('Price (₹)', dialog), '899');
      await choose(field(/^Category/u, dialog), 'bracelets');
      await type(field(/^Stock/u, dialog), '3');
      await type(field(/^Which size is it/u, dialog), 'One size: 2.6');
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
        await field(/^Description of picture 1/u, dialog).waitFor();
      });
      await tap(button('Save', dialog), dialog, 'hidden');
    });
  },
);
