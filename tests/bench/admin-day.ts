/*
 * A day of the owner's on a 360 px phone with a slow processor: `npm run bench -- admin-day`. Prints each task with its taps,
 * the fields that are typed into, and the longest wait from a tap to what it was for. docs/admin-day.md tells the day.
 */
import type { Locator } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import * as z from 'zod';
import { startDay } from './day.ts';
import { buy, type Send } from './purchase.ts';

const day = await startDay();
const { stack, page, tap, type, task } = day;
const { origin, secrets, running } = stack;

try {
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  const session = await createClient(
    origin,
    secrets.publishableKey,
    options,
  ).auth.signInWithPassword(running.shopper);
  const inserted = await createClient(origin, secrets.secretKey, options)
    .from('products')
    .insert({ name: 'Day ring', category: 'rings', price: 100, stock: 50 })
    .select('id');
  const product = z.tuple([z.object({ id: z.string() })]).parse(inserted.data)[0].id;
  const send: Send = async (url, init) => {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  };
  const token = session.data.session?.access_token ?? '';
  for (let count = 0; count < 3; count += 1)
    await buy(stack, { samples: new Map(), send, token, product });

  const toast = (text: string): Locator => page.locator('.toast').filter({ hasText: text }).first();
  const button = (name: string | RegExp): Locator =>
    page.getByRole('button', { name, exact: typeof name === 'string' }).first();
  const bar = page.getByRole('navigation', { name: 'Admin' });

  day.printHead();
  await task('Open the page and log in', async () => {
    await page.goto('/admin');
    await type(page.getByLabel('Password', { exact: true }), running.adminPassword);
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
    await day.choose(dialog.getByLabel('Category'), 'bracelets');
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
    await day.wait(2, async () => {
      await dialog
        .locator('input[type="file"]')
        .first()
        .setInputFiles({ name: 'bangle.jpg', mimeType: 'image/jpeg', buffer: photograph });
      await dialog.getByLabel('Description of picture 1').waitFor();
    });
    await tap(dialog.getByRole('button', { name: 'Save' }), dialog, 'hidden');
  });
} finally {
  await day.end();
}
