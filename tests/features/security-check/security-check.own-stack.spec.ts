import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { startOwnStack, type OwnStack } from '#tests/browser/support/own-stack.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';

/*
 * The security check of the forms, on a stack of its own that has it: the shared one does not. Its tests follow each other,
 * because how the stand-in for Turnstile behaves holds for the whole stack.
 */
test.describe.configure({ mode: 'serial' });

let stack: OwnStack;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  stack = await startOwnStack({ SHOP_TURNSTILE: '1' });
});
test.afterAll(() => stack.stop());
test.beforeEach(() => setMode('pass'));

async function setMode(mode: 'pass' | 'ask' | 'fail' | 'expire' | 'unreachable'): Promise<void> {
  const answer = await fetch(`${stack.outside}/local/turnstile/mode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode }),
  });
  expect(answer.status).toBe(200);
}

const newAddress = (): string => `visitor-${randomUUID()}@kasavu.example`;
const refused =
  'The security check was not passed or has expired. Please press the button once more.';
const notLoaded = 'The security check could not be loaded.';

async function fillContact(page: Page, message: string): Promise<void> {
  await page.getByLabel('Full Name').fill('Devika Menon');
  await page.getByRole('main').getByLabel('Email Address').fill(newAddress());
  await page.getByLabel('Message').fill(message);
}
const sendMessage = (page: Page): Promise<void> =>
  page.getByRole('main').getByRole('button', { name: 'Send Message' }).click();

async function fillLogin(page: Page): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill('shopper@kasavu.example');
  await page.getByLabel('Password', { exact: true }).fill('kasavu-demo');
}
const pressLogin = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Login', exact: true }).click();

test('nothing of the check is loaded before a form is touched', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (/turnstile/u.test(request.url())) loaded.push(request.url());
  });
  await page.goto(`${stack.url}/contact`);
  await page.waitForLoadState('networkidle');
  expect(loaded).toEqual([]);
  const script = page.waitForRequest(/turnstile\/api\.js/u);
  await page.getByLabel('Full Name').focus();
  await script;
});

test('the forms work with the check: contact, newsletter, sign-up, login, forgotten password', async ({
  page,
}) => {
  await page.goto(`${stack.url}/contact`);
  await fillContact(page, 'A question about a ring');
  await sendMessage(page);
  await expectToast(page, 'Message sent successfully!');
  await page.getByLabel('New pieces, now and then, by e-mail').fill(newAddress());
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expectToast(page, 'Please check your e-mail');

  await page.goto(`${stack.url}/auth?mode=signup`);
  await page.getByLabel('Email', { exact: true }).fill(newAddress());
  await page.getByLabel('Password', { exact: true }).fill('gold-thread-7');
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expectToast(page, 'Account created!');
  await page.getByRole('button', { name: 'Log in another way' }).click();
  await page.getByRole('button', { name: 'Forgotten password?' }).click();
  await page.getByLabel('Email', { exact: true }).fill('shopper@kasavu.example');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expectToast(page, 'Please check your email');
  await fillLogin(page);
  await pressLogin(page);
  await page.waitForURL(`${stack.url}/`);
});

for (const mode of ['fail', 'expire'] as const) {
  test(`a refused token (${mode}) shows one sentence, the typed values stay, and the next press works`, async ({
    page,
    expectProblem,
  }) => {
    expectProblem(/400/u);
    await setMode(mode);
    await page.goto(`${stack.url}/contact`);
    await fillContact(page, `Kept for ${mode}`);
    await sendMessage(page);
    await expectToast(page, 'Message not sent', refused);
    await expect(page.getByLabel('Message')).toHaveValue(`Kept for ${mode}`);
    await setMode('pass');
    await sendMessage(page);
    await expectToast(page, 'Message sent successfully!');

    await setMode(mode);
    await page.goto(`${stack.url}/auth`);
    await fillLogin(page);
    await pressLogin(page);
    await expectToast(page, 'Security check', refused);
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('shopper@kasavu.example');
    await setMode('pass');
    await pressLogin(page);
    await page.waitForURL(`${stack.url}/`);
  });
}

test('when the script cannot be loaded, the customer reads what to do, and can go on once it can', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/turnstile|ERR_|Failed to load resource/u);
  await setMode('unreachable');
  await page.goto(`${stack.url}/auth`);
  await fillLogin(page);
  await pressLogin(page);
  await expectToast(page, 'Security check', notLoaded);
  await setMode('pass');
  await pressLogin(page);
  await page.waitForURL(`${stack.url}/`);

  await setMode('unreachable');
  await page.goto(`${stack.url}/about`);
  const email = newAddress();
  await page.getByLabel('New pieces, now and then, by e-mail').fill(email);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expectToast(page, 'Submission Failed', notLoaded);
  await expect(page.getByLabel('New pieces, now and then, by e-mail')).toHaveValue(email);
  await setMode('pass');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expectToast(page, 'Please check your e-mail');
});

test('a check that needs a press appears in the form, and is named when the button is pressed first', async ({
  page,
}) => {
  await setMode('ask');
  await page.goto(`${stack.url}/auth`);
  await fillLogin(page);
  const widget = page.frameLocator('iframe[title="Security check"]');
  await expect(widget.getByLabel('Verify you are human')).toBeVisible();
  await pressLogin(page);
  await expectToast(page, 'Security check', 'Please complete the security check in the form');
  await expectAccessible(page, 'the login form with its security check');
  await widget.getByLabel('Verify you are human').check();
  await expect(page.locator('iframe[title="Security check"]')).toBeHidden();
  await pressLogin(page);
  await page.waitForURL(`${stack.url}/`);
});

test('the functions and the auth service themselves refuse a request without a token', async ({
  request,
}) => {
  const time = await request.get(`${stack.url}/api/form-time?form=contact`);
  const { form_time } = (await time.json()) as { form_time: string };
  await expect(async () => {
    const answer = await request.post(`${stack.url}/api/contact`, {
      headers: { origin: stack.url },
      data: { form_time, name: 'A', email: newAddress(), subject: '', message: 'Hello' },
    });
    expect(await answer.json()).toMatchObject({ error: 'human_check' });
  }).toPass();
  for (const path of ['signup', 'token?grant_type=password', 'recover', 'resend']) {
    const answer = await request.post(`${stack.url}/auth/v1/${path}`, {
      data: { email: newAddress(), password: 'gold-thread-7' },
    });
    expect(await answer.json(), path).toMatchObject({ error_code: 'captcha_failed' });
  }
});

test('the privacy page names Cloudflare where the forms have its security check, and nowhere else', async ({
  page,
}) => {
  await page.goto(`${stack.outside}/privacy`);
  await expect(page.getByText('Cloudflare: its security check (Turnstile)')).toBeVisible();
  await page.goto('/privacy');
  await expect(page.getByRole('heading', { name: 'Who works for us' })).toBeVisible();
  await expect(page.getByText(/Cloudflare|Turnstile/u)).toHaveCount(0);
});
