import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { startOwnStack, type OwnStack } from '#tests/browser/support/own-stack.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { logInAsAdmin } from '#tests/browser/admin/admin-page.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';
import { formatRupees } from '#domain/money.ts';
import { seller } from '#settings/seller.ts';

/* The test has a stack of its own, because the admin of the shared one logs in with the password alone. */
let stack: OwnStack;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  stack = await startOwnStack({});
});
test.afterAll(() => stack.stop());

const readData = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(stack.folder, name), 'utf8')) as Record<string, string>;
const password = (): string => readData('running.json')['adminPassword'] ?? '';
const database = () =>
  createClient(stack.url, readData('secrets.json')['secretKey'] ?? '', {
    auth: { persistSession: false, autoRefreshToken: false },
  });
/** The code of a secret, so many steps of 30 s from now: the shop accepts the one before and after, too. */
const codeOf = (secret: string, steps: number): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

/** A price above what the owner refunds without the password, in rupees. */
const price = (seller.refunds.confirmAbove ?? 10_000) + 2_000;
const amount = formatRupees(price * 100);

/** An order of that price, paid by hand. Returns its number. */
async function placeLargeOrder(page: Page): Promise<number> {
  const { data, error } = await database()
    .from('products')
    .insert({ name: 'Temple necklace', category: shopCategory(1).slug, price, stock: 3 })
    .select('id')
    .single<{ id: string }>();
  if (error) throw new Error(error.message);
  const order = {
    key: crypto.randomUUID(),
    lines: [{ product_id: data.id, quantity: 1 }],
    channel: 'exhibition',
    name: 'Devika Nair',
    phone: '9000000001',
    email: '',
    notes: '',
    totalPaise: price * 100,
    handOver: true,
    payment: { by: 'cash', reference: '' },
  };
  const answer = await page.request.post(`${stack.url}/api/admin/orders`, {
    data: order,
    headers: { origin: stack.url },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { order: { id: number } }).order.id;
}

test('the second factor is set up, required at the login, and again with the password before a large refund', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/401|403/u);
  await page.goto(`${stack.url}/admin#more`);
  await logInAsAdmin(page, password());
  const section = page.locator('details').filter({ hasText: 'Two-step login' });
  await section.locator('summary').click();
  await expect(section.locator('summary')).toContainText('off');

  await section.getByRole('button', { name: 'Set up two-step login' }).click();
  const setUp = page.getByRole('dialog', { name: 'Set up two-step login' });
  await expect(setUp.getByRole('img', { name: /^QR code/u }).locator('path')).toBeVisible();
  const uri =
    (await setUp.getByRole('link', { name: 'Open in authenticator app' }).getAttribute('href')) ??
    '';
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  await expect(setUp.getByText(secret.replaceAll(/.{4}(?=.)/gu, '$& '))).toBeVisible();
  const first = setUp.getByLabel('Enter the 6-digit code that the app shows');
  await expect(first).toHaveAttribute('inputmode', 'numeric');
  await first.fill('12345');
  await first.press('Enter');
  await expect(setUp.getByText('Wrong code.')).toBeVisible();
  await expect(first).toBeFocused();
  await expectAccessible(page, 'setting up the second factor');
  await first.fill(codeOf(secret, 0));
  await setUp.getByRole('button', { name: 'Turn on' }).click();

  const stored = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(stored.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page, 'the recovery codes');
  const download = page.waitForEvent('download');
  await stored.getByRole('button', { name: 'Download codes' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  const codes = file.match(/^(?:[A-Z2-7]{4}-){5}[A-Z2-7]{4}$/gmu) ?? [];
  expect(codes).toHaveLength(10);
  await page.keyboard.press('Escape');
  await expect(stored).toBeVisible();
  await stored.getByRole('button', { name: 'I have stored them' }).click();
  await expect(section.getByRole('status')).toContainText('10 recovery codes are left.');

  const order = await placeLargeOrder(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await logInAsAdmin(page, password());
  const code = page.getByLabel('Enter the 6-digit code from your authenticator app');
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await expectAccessible(page, 'the login that asks for the code');
  await code.fill('12345');
  await code.press('Enter');
  await expectToast(page, 'Auth Failed', 'Wrong code. Each code works once.');
  await expect(code).toBeFocused();
  await code.fill(codeOf(secret, 1));
  await code.press('Enter');
  await expectToast(page, 'Welcome', 'Logged in as admin.');
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();

  // Makes the session look as after more than ten minutes of work.
  const { error } = await database()
    .from('admin_sessions')
    .update({ confirmed_at: '2026-01-01T00:00:00Z' })
    .gt('id', 0);
  expect(error).toBeNull();
  await page.goto(`${stack.url}/admin#orders/${String(order)}`);
  await page.getByRole('button', { name: 'Refund' }).click();
  const refund = page.getByRole('dialog', { name: `Refund order ${String(order)}` });
  await refund.getByRole('button', { name: 'The whole order' }).click();
  await refund.getByLabel('Reason', { exact: true }).fill('The clasp broke');
  await refund.getByRole('button', { name: `Refund ${amount}…` }).click();
  await refund.getByRole('button', { name: `Yes, refund ${amount}` }).click();
  const again = page.getByRole('dialog', { name: 'Confirm your password' });
  await expect(again.getByLabel('Password', { exact: true })).toBeFocused();
  await expectAccessible(page, 'the question for the password before a large refund');

  // Closed, nothing is refunded and nothing typed is lost.
  await again.getByRole('button', { name: 'Cancel' }).click();
  await expect(refund.getByRole('alert')).toContainText('It needs your password.');
  await refund.getByRole('button', { name: `Yes, refund ${amount}` }).click();
  await again.getByLabel('Password', { exact: true }).fill('not-the-password');
  await again.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(again.getByLabel('Enter one of your recovery codes')).toBeFocused();
  await again.getByLabel('Enter one of your recovery codes').fill(codes[0] ?? '');
  await again.getByRole('button', { name: 'Continue' }).click();
  await expect(again.getByText('Wrong password')).toBeVisible();
  await expect(again.getByLabel('Password', { exact: true })).toBeFocused();
  await again.getByLabel('Password', { exact: true }).fill(password());
  await again.getByRole('button', { name: 'Continue' }).click();
  await expectToast(page, amount);
  await expect(again).toHaveCount(0);
  const { data: refunds } = await database().from('refunds').select('amount_paise');
  expect(refunds).toEqual([{ amount_paise: price * 100 }]);
});
