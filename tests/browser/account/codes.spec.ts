import type { Page } from '@playwright/test';
import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { mailTo, waitForCode, waitForMail } from './mailbox.ts';
import {
  createCustomer,
  followMailedLink,
  newCredentials,
  openSession,
  startWith,
  type Credentials,
} from './customers.ts';

const codeField = (page: Page, email: string) =>
  page.getByLabel(`Enter the 8-digit code that we sent to ${email}`);

async function signUp(page: Page, { email, password }: Credentials): Promise<void> {
  await page.goto('/auth?mode=signup&next=%2Fwishlist');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(codeField(page, email)).toBeFocused();
}

async function requestCode(page: Page, email: string): Promise<void> {
  await page.goto('/auth?next=%2Fwishlist');
  await page.getByRole('button', { name: 'Log in with a code' }).click();
  await expect(page.getByRole('heading', { name: 'Log in with a code' })).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(codeField(page, email)).toBeFocused();
}

async function expectLoggedIn(page: Page, { email }: { email: string }): Promise<void> {
  await page.waitForURL('/wishlist');
  await page.goto('/profile');
  await expect(page.getByRole('main').getByText(email).first()).toBeVisible();
}

/** A code that is not the given one. */
const otherThan = (code: string): string => (code === '00000000' ? '11111111' : '00000000');

test.describe('a sign-up', () => {
  test('ends on the page where it began: the last digit logs in with the password just typed', async ({
    page,
  }) => {
    const credentials = newCredentials();
    await signUp(page, credentials);
    await expectAccessible(page, 'the field for a code');
    const field = codeField(page, credentials.email);
    await expect(field).toHaveAttribute('inputmode', 'numeric');
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
    await expect(page.getByRole('heading', { name: 'One step left' })).toBeVisible();
    const login = page.getByRole('button', { name: 'Login', exact: true });
    await expect(login).toBeHidden();
    await page.getByRole('button', { name: 'Log in another way' }).click();
    await expect(login).toBeVisible();
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(credentials.email);
    await field.pressSequentially(await waitForCode(credentials.email, 'confirm'));
    await expectLoggedIn(page, credentials);
    await openSession(credentials);
  });

  test('that is reloaded meanwhile still takes the code, and asks for the password again', async ({
    page,
  }) => {
    const credentials = newCredentials();
    await signUp(page, credentials);
    await page.reload();
    await codeField(page, credentials.email).fill(await waitForCode(credentials.email, 'confirm'));
    await expect(page.getByRole('heading', { name: 'Your e-mail is confirmed' })).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill(credentials.password);
    await page.getByRole('button', { name: 'Save password' }).click();
    await expectLoggedIn(page, credentials);
    await openSession(credentials);
  });

  test('a sign-up whose link is opened in another tab continues in both, and the password typed first counts', async ({
    page,
    context,
  }) => {
    const credentials = newCredentials();
    await signUp(page, credentials);
    const other = await context.newPage();
    await followMailedLink(other, await waitForMail(credentials.email, /confirm/iu));
    await other.waitForURL('/wishlist');
    await page.waitForURL('/wishlist');
    await openSession(credentials);
  });

  test('can send another code after a minute, and only the newest works', async ({
    page,
    expectProblem,
  }) => {
    expectProblem(/403/u);
    const credentials = newCredentials();
    await page.clock.install();
    await signUp(page, credentials);
    const first = await waitForCode(credentials.email, 'confirm');
    const resend = page.getByRole('button', { name: /^Send a new code/u });
    await expect(resend).toHaveText(/^Send a new code in (?:60|59|58) s$/u);
    await resend.click({ force: true });
    await page.clock.runFor(60_000);
    await expect(resend).toHaveText('Send a new code');
    expect(await mailTo(credentials.email)).toHaveLength(1);
    await resend.click();
    await expectToast(page, 'Mail sent');
    const second = await waitForCode(credentials.email, 'enter');
    await codeField(page, credentials.email).fill(first);
    await expect(page.getByText('This code is wrong or was already used.')).toBeVisible();
    await codeField(page, credentials.email).fill(second);
    await expectLoggedIn(page, credentials);
    await openSession(credentials);
  });
});

test('a sign-up with an address that has an account gets a code by mail, which logs in with the password just typed', async ({
  page,
}) => {
  const { email } = await createCustomer();
  const before = (await mailTo(email)).length;
  await signUp(page, { email, password: 'silver-thread-8' });
  await expectToast(page, 'Account created! Please check your email to confirm your account');
  await expect.poll(async () => (await mailTo(email)).length).toBe(before + 1);
  await codeField(page, email).fill(await waitForCode(email, 'enter'));
  await expectLoggedIn(page, { email });
  await openSession({ email, password: 'silver-thread-8' });
});

test.describe('a code', () => {
  test('that is wrong is refused in one sentence, and the field waits for another; a short one is not sent', async ({
    page,
    expectProblem,
  }) => {
    expectProblem(/403/u);
    const credentials = newCredentials();
    await signUp(page, credentials);
    const field = codeField(page, credentials.email);
    const code = await waitForCode(credentials.email, 'confirm');
    await field.fill('12345');
    await field.press('Enter');
    await expect(page.getByText('Please enter all 8 digits.')).toBeVisible();
    await field.fill(otherThan(code));
    await expect(
      page.getByText(
        'This code is wrong or was already used. Look at the newest mail, or send a new code.',
      ),
    ).toBeVisible();
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page, 'a refused code');
    // The refused digits are selected: typing replaces them.
    await page.keyboard.type(code);
    await expectLoggedIn(page, credentials);
  });

  test('that was used opens nothing a second time', async ({ page, context, expectProblem }) => {
    expectProblem(/403/u);
    const { email } = await createCustomer();
    await requestCode(page, email);
    const code = await waitForCode(email, 'enter');
    const other = await context.browser()?.newContext({ baseURL: new URL(page.url()).origin });
    const second = await other?.newPage();
    if (!other || !second) throw new Error('No second browser');
    await codeField(page, email).fill(code);
    await page.waitForURL('/wishlist');
    await second.goto('/auth');
    await second.evaluate(
      (text) => {
        sessionStorage.setItem('kasavu:awaited-code', text);
      },
      JSON.stringify({ mode: 'code', email, sentAt: Date.now(), type: 'recovery' }),
    );
    await second.reload();
    await codeField(second, email).fill(code);
    await expect(second.getByText('This code is wrong or was already used.')).toBeVisible();
    await other.close();
  });

  test('that is too old is not sent at all', async ({ page }) => {
    const { email } = await createCustomer();
    await page.clock.install();
    await requestCode(page, email);
    const code = await waitForCode(email, 'enter');
    await page.clock.fastForward('10:01');
    await codeField(page, email).fill(code);
    await expect(page.getByText('This code has expired. Please send a new one.')).toBeVisible();
  });
});

test('from the cart to the sign-up and back: the details form opens by itself, with the address; the next time the cart leads to the login', async ({
  page,
  context,
  newProduct,
}) => {
  const credentials = newCredentials();
  await startWith(context, { cart: [cartLine(await newProduct({ name: 'First Ring' }))] });
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await expect(page.getByRole('heading', { name: 'Sign Up' })).toBeVisible();
  await expectToast(page, 'Login required', 'Please sign in to continue to payment.');
  await page.getByLabel('Email', { exact: true }).fill(credentials.email);
  await page.getByLabel('Password', { exact: true }).fill(credentials.password);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(page.getByText('Your cart with 1 item waits.')).toBeVisible();
  await codeField(page, credentials.email).fill(await waitForCode(credentials.email, 'confirm'));
  const dialog = page.getByRole('dialog', { name: 'Contact Information' });
  await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue(credentials.email);
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();

  await page.evaluate(() => {
    localStorage.removeItem('kasavu:auth');
  });
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible();
});

test('a sign-up that is refused offers the login and a code, whoever asks', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/422/u);
  const credentials = newCredentials();
  await page.route('**/auth/v1/signup**', (route) =>
    route.fulfill({ status: 422, json: { error_code: 'user_already_exists', msg: 'Known' } }),
  );
  await page.goto('/auth?mode=signup');
  await page.getByLabel('Email', { exact: true }).fill(credentials.email);
  await page.getByLabel('Password', { exact: true }).fill(credentials.password);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(page.getByText('You may have an account already')).toBeVisible();
  await page.getByRole('button', { name: 'Get a code' }).click();
  await expect(page.getByRole('heading', { name: 'Log in with a code' })).toBeVisible();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(credentials.email);
});

test('a code logs in whoever forgot the password, and the password stays', async ({ page }) => {
  const customer = await createCustomer({ withPassword: true });
  await requestCode(page, customer.email);
  await codeField(page, customer.email).fill(await waitForCode(customer.email, 'enter'));
  await expectLoggedIn(page, customer);
  await openSession(customer);
});

test('an address without an account gets no mail and no account, and the page does not tell', async ({
  page,
}) => {
  const { email, password } = newCredentials();
  await requestCode(page, email);
  await expectToast(page, 'Please check your email');
  const { email: known } = await createCustomer();
  const mails = await mailTo(known);
  expect(mails).toHaveLength(1);
  expect(await mailTo(email)).toHaveLength(0);
  await expect(openSession({ email, password })).rejects.toThrow();
});
