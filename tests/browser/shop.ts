import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import * as z from 'zod';

const runningSchema = z.object({
  url: z.string(),
  adminPassword: z.string(),
  shopper: z.object({ email: z.string(), password: z.string() }),
});

/** What the running stack says of itself: address, owner's password, demo shopper. */
export function runningShop(): z.infer<typeof runningSchema> {
  const folder = process.env['SHOP_DATA_DIR'] ?? '.local';
  return runningSchema.parse(JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')));
}

const mailSchema = z.object({
  id: z.string(),
  to: z.array(z.string()).or(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
  links: z.array(z.string()),
});
export type Mail = z.infer<typeof mailSchema>;

/** The mails that the shop sent to an address, newest first. */
export async function mailTo(page: Page, address: string): Promise<Mail[]> {
  const answer = await page.request.get('/local/mailbox.json');
  const mails = z.array(mailSchema).parse(await answer.json());
  return mails.filter((mail) => [mail.to].flat().join(',').toLowerCase().includes(address.toLowerCase()));
}

/** Waits for a mail whose subject matches. */
export async function waitForMail(page: Page, address: string, subject: RegExp): Promise<Mail> {
  let found: Mail | undefined;
  await expect
    .poll(
      async () => {
        found = (await mailTo(page, address)).find((mail) => subject.test(mail.subject));
        return found?.subject;
      },
      { timeout: 20_000, message: `a mail to ${address} about ${String(subject)}` },
    )
    .toBeTruthy();
  return mailSchema.parse(found);
}

export interface Shopper {
  email: string;
  password: string;
}

/** An address nobody has used yet. */
export function newShopper(): Shopper {
  return { email: `shopper-${randomUUID()}@kasavu.example`, password: 'gold-thread-7' };
}

/** Signs up on the page and follows the link of the confirmation mail, which signs in. */
export async function signUp(page: Page, shopper: Shopper = newShopper()): Promise<Shopper> {
  await page.goto('/auth');
  await page.getByRole('button', { name: "Don't have an account? Sign up" }).click();
  await page.getByLabel('Email', { exact: true }).fill(shopper.email);
  await page.getByLabel('Password', { exact: true }).fill(shopper.password);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(
    page.getByText('Account created! Please check your email to confirm your account before logging in.'),
  ).toBeVisible();
  const mail = await waitForMail(page, shopper.email, /confirm/iu);
  await page.goto(z.string().parse(mail.links.find((link) => link.includes('verify'))));
  await page.waitForURL('/', { waitUntil: 'domcontentloaded' });
  return shopper;
}

export async function logIn(page: Page, shopper: Shopper): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Email', { exact: true }).fill(shopper.email);
  await page.getByLabel('Password', { exact: true }).fill(shopper.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/auth', { waitUntil: 'commit' });
}

const delivery = {
  Name: 'Anjali Menon',
  Phone: '+91 98470 12345',
  Address: '14 Temple Road, Vadakkumnathan West',
  City: 'Thrissur',
  'Postal Code': '680001',
} as const;

/** Puts a piece into the cart from its card in the shop. */
export async function addFromShop(page: Page, name: string): Promise<void> {
  await page.goto('/shop');
  await page
    .getByRole('article')
    .filter({ hasText: name })
    .getByRole('button', { name: /add to cart/iu })
    .click();
  await expect(page.getByText('Added to cart!').first()).toBeVisible();
}

/** From the cart to the sandbox's payment dialog, filling the details form. Answers the dialog. */
export async function proceedToPayment(page: Page, email: string): Promise<Locator> {
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Contact Information' });
  await expect(dialog.getByText('Please provide your contact details so we can reach you about your order.')).toBeVisible();
  for (const [label, value] of Object.entries(delivery)) {
    await dialog.getByLabel(label, { exact: true }).fill(value);
  }
  await dialog.getByLabel('Email', { exact: true }).fill(email);
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  const sandbox = page.getByRole('dialog', { name: 'Razorpay sandbox' });
  // The first call of a function starts it, which takes a while on a busy machine.
  await expect(sandbox).toBeVisible({ timeout: 30_000 });
  return sandbox;
}

interface Fixtures {
  /** Says that a problem matching the pattern is meant to happen in this test. */
  expectProblem: (pattern: RegExp) => void;
}

/** A test that fails on any console error, uncaught exception, refused content or failed request it did not expect. */
export const test = base.extend<Fixtures>({
  expectProblem: [
    async ({ page }, use) => {
      const expected: RegExp[] = [];
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
      page.on('response', (response) => {
        if (response.status() >= 400) problems.push(`${String(response.status())}: ${response.url()}`);
      });
      page.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText ?? '';
        // A request given up because the shopper moved on is no failure.
        if (!reason.includes('ERR_ABORTED')) problems.push(`failed: ${request.url()} ${reason}`);
      });
      await use((pattern) => expected.push(pattern));
      const unexpected = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
      expect(unexpected, 'no console error, exception or failed request').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
