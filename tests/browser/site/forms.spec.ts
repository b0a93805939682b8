import { randomUUID } from 'node:crypto';
import { seller } from '#settings/seller.ts';
import type { Page } from '@playwright/test';
import { waitForMail, waitForMailSaying } from '#tests/browser/account/mailbox.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';

/** Where the embedded stack sends what is meant for the admin. */
const owner = 'owner@kasavu.example';
const newAddress = (): string => `visitor-${randomUUID()}@kasavu.example`;

async function fillContact(page: Page, email: string, message: string): Promise<void> {
  await page.getByLabel('Full Name').fill('Devika Menon');
  await page.getByRole('main').getByLabel('Email Address').fill(email);
  await page.getByLabel('Subject').fill('A question about a bangle');
  await page.getByLabel('Message').fill(message);
}

test('a message from the contact page shows that it is sent, clears the form, and reaches the owner', async ({
  page,
}) => {
  const email = newAddress();
  const message = `Is it there in 2.6?\nWith <gold> & "thread". ${randomUUID()}`;
  await page.goto('/contact');
  await fillContact(page, email, message);
  const release = Promise.withResolvers<undefined>();
  await page.route('**/api/contact', async (route) => {
    await release.promise;
    await route.continue();
  });
  const button = page.getByRole('main').getByRole('button', { name: 'Send Message' });
  await button.click();
  await expect(page.getByRole('main').getByRole('button', { name: 'Sending...' })).toBeVisible();
  release.resolve(undefined);
  await expectToast(
    page,
    'Message sent successfully!',
    `Thank you for contacting us. We'll get back to you within ${seller.answersWithin}.`,
  );
  await expect(button).toBeVisible();
  await expect(page.getByLabel('Message')).toHaveValue('');
  const notice = (await waitForMailSaying(owner, message.slice(-36))).text;
  expect(notice).toContain('With <gold> & "thread".');
  expect(notice).toContain(email);
});

test('a contact form with gaps is not sent: the fields say what is missing and keep what was typed, also when the server cannot take it', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/503/u);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/contact')) sent.push(request.url());
  });
  await page.goto('/contact');
  await page.getByLabel('Full Name').fill('   ');
  await page.getByLabel('Message').fill('Hello');
  await page.getByRole('main').getByRole('button', { name: 'Send Message' }).click();
  await expectToast(page, 'Please fill in all required fields');
  await expect(page.getByText('Please tell us your name.')).toBeVisible();
  await expect(page.getByText('Please tell us your e-mail address.')).toBeVisible();
  await expect(page.getByLabel('Full Name')).toBeFocused();
  await expect(page.getByLabel('Full Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('main').getByLabel('Email Address')).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await expect(page.getByLabel('Message')).toHaveValue('Hello');
  await page.getByLabel('Full Name').fill('Devika');
  await expect(page.getByLabel('Full Name')).not.toHaveAttribute('aria-invalid', 'true');
  expect(sent).toEqual([]);

  await page.route('**/api/contact', async (route) =>
    route.fulfill({ status: 503, body: 'upstream' }),
  );
  await fillContact(page, newAddress(), 'A message that must stay');
  await page.getByRole('main').getByRole('button', { name: 'Send Message' }).click();
  await expectToast(page, 'Message not sent');
  await expect(page.getByLabel('Message')).toHaveValue('A message that must stay');
});

/** The link of the newest mail to an address that leads to a page of the newsletter. */
async function newsletterLink(address: string, step: 'confirm' | 'unsubscribe'): Promise<string> {
  const subject = step === 'confirm' ? /confirm/iu : /welcome/iu;
  const { links } = await waitForMail(address, subject);
  return links.find((link) => link.includes(`/newsletter/${step}`)) ?? 'no link';
}

test('an address entered in the footer confirms by mail, is welcomed, and unsubscribes by the link in that mail', async ({
  page,
}) => {
  const email = newAddress();
  await page.goto('/about');
  await page.getByLabel('New pieces, now and then, by e-mail').fill(email);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expectToast(page, 'Please check your e-mail');
  await expect(page.getByLabel('New pieces, now and then, by e-mail')).toHaveValue('');
  // Opened alone, neither link does anything: each page has a button.
  await page.goto(await newsletterLink(email, 'confirm'));
  await page.getByRole('button', { name: 'Yes, send me news' }).click();
  await expect(page).toHaveURL(/\/newsletter\/confirmed$/u);
  await page.goto(await newsletterLink(email, 'unsubscribe'));
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page).toHaveURL(/\/newsletter\/unsubscribed$/u);
});

/** The page that shows a form once more takes it when it has been open for two seconds; before that it says so and stays. */
async function pressOnceMore(page: Page, button: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'One more press' })).toBeVisible();
  await expect(async () => {
    await page.getByRole('button', { name: button }).click();
    expect(page.url()).not.toContain('/api/');
  }).toPass();
}

test('without JavaScript a message is sent all the same, and a page says so', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  const [email, mark] = [newAddress(), randomUUID()];
  await page.goto('/contact');
  await fillContact(page, email, `Without a script. ${mark}`);
  await page.getByRole('main').getByRole('button', { name: 'Send Message' }).click();
  await pressOnceMore(page, 'Send Message');
  await expect(page).toHaveURL(/\/contact\/sent$/u);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect((await waitForMailSaying(owner, mark)).text).toContain(email);
  await context.close();
});

test('without JavaScript an address is taken and confirmed all the same, and pages say so', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  const address = newAddress();
  await page.goto('/');
  await page.getByLabel('New pieces, now and then, by e-mail').fill(address);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await pressOnceMore(page, 'Subscribe');
  await expect(page).toHaveURL(/\/newsletter\/subscribed$/u);
  await page.goto(await newsletterLink(address, 'confirm'));
  await page.getByRole('button', { name: 'Yes, send me news' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you for subscribing' })).toBeVisible();
  await context.close();
});
