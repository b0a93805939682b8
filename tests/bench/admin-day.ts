/*
 * A day of the owner's on a 360 px phone with a slow processor: `npm run bench -- admin-day`. Prints each task with its taps,
 * the fields that are typed into, and the longest wait from a tap to what it was for. docs/admin-day.md tells the day.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, devices, type Locator } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import * as z from 'zod';
import { findChromium } from '../browser/support/chromium.ts';
import { startEmbeddedStack } from './embedded-stack.ts';
import { buy, type Send } from './purchase.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'bench-day-'));
const stack = await startEmbeddedStack(dataDir);
const { origin, secrets, running } = stack;
const browser = await chromium.launch({
  ...(findChromium() === null ? {} : { executablePath: findChromium() ?? '' }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});

let [taps, typed, longest] = [0, 0, 0];
/** A tap, and the time until what it was for is on the screen, or off it. */
async function tap(
  control: Locator,
  until: Locator,
  state: 'visible' | 'hidden' = 'visible',
): Promise<void> {
  taps += 1;
  const began = performance.now();
  await control.tap();
  await until.waitFor({ state });
  longest = Math.max(longest, performance.now() - began);
}
async function type(field: Locator, text: string): Promise<void> {
  typed += 1;
  await field.fill(text);
}
async function task(name: string, work: () => Promise<void>): Promise<void> {
  [taps, typed, longest] = [0, 0, 0];
  const began = performance.now();
  await work();
  console.log(
    `| ${name} | ${String(taps)} | ${String(typed)} | ${(longest / 1000).toFixed(1)} s | ${((performance.now() - began) / 1000).toFixed(1)} s |`,
  );
}

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

  const context = await browser.newContext({
    ...devices['Pixel 7'],
    viewport: { width: 360, height: 780 },
    baseURL: origin,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const throttled = await context.newCDPSession(page);
  await throttled.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const toast = (text: string): Locator => page.locator('.toast').filter({ hasText: text }).first();
  const button = (name: string | RegExp): Locator =>
    page.getByRole('button', { name, exact: typeof name === 'string' }).first();
  const bar = page.getByRole('navigation', { name: 'Admin' });

  console.log('| task | taps | fields | longest wait | in all |\n|---|---|---|---|---|');
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
    await tap(button(/^Make the order/u), toast('is made'));
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
    taps += 2;
    await dialog.getByLabel('Category').selectOption('bracelets');
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
    taps += 2;
    const began = performance.now();
    await dialog
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: 'bangle.jpg', mimeType: 'image/jpeg', buffer: photograph });
    await dialog.getByLabel('Description of picture 1').waitFor();
    longest = Math.max(longest, performance.now() - began);
    await tap(dialog.getByRole('button', { name: 'Save' }), dialog, 'hidden');
  });
} finally {
  await browser.close();
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
