import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { logInAsAdmin } from './admin-page.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';

test('the login form refuses a wrong password, lets the right one in, stays open over a reload and closes with Logout', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/401/u);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  await expect(page.getByText('Enter password')).toBeVisible();
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');

  await page.getByText('Forgotten your password?').click();
  await expect(page.getByText('npm run hash-password')).toBeVisible();
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('type', 'password');
  await password.fill('not-the-password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expectToast(page, 'Auth Failed', 'Wrong password');
  await expect(password).toBeFocused();
  await expectAccessible(page, 'the login form after a wrong password');

  await logInAsAdmin(page);
  await expectToast(page, 'Welcome', 'Logged in as admin.');
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeFocused();
  await expect(page.getByText('Manage catalog')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('table', { name: 'Products' })).toBeVisible();

  // Without the prefix and `Secure`, which the embedded stack takes off on plain HTTP.
  const session = (await context.cookies()).filter(({ name }) => name.endsWith('kasavu-admin'));
  expect(session).toMatchObject([{ httpOnly: true, secure: false, sameSite: 'Strict' }]);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  // Whoever kept the cookie has nothing of it: the server ended the session.
  await context.addCookies(session);
  expect(await page.evaluate(async () => (await fetch('/api/admin/session')).status)).toBe(401);
});

test('too many attempts, a missing password and a lost connection each show a message', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/429|503|ERR_FAILED/u);
  const answers = [
    {
      status: 429,
      json: {
        message: 'Too many wrong passwords.',
        error: 'too_many_attempts',
        request_id: 'r',
        retry_after: 700,
      },
    },
    {
      status: 503,
      json: {
        message: 'The owner’s password is not set up.',
        error: 'not_configured',
        request_id: 'r',
      },
    },
  ];
  await page.route('**/api/admin/login', async (route) => {
    const answer = answers.shift();
    await (answer ? route.fulfill(answer) : route.abort('failed'));
  });
  await page.goto('/admin');
  for (const words of [
    'Too many attempts. Please wait 12 minutes, then try again.',
    'The owner’s password is not set up.',
    'You are offline. Nothing is lost; try again when the connection is back.',
  ]) {
    await logInAsAdmin(page, 'anything');
    await expect(page.locator('.field-error')).toHaveText(words);
    await expectToast(page, 'Auth Failed', words);
  }
});

test('a section that fails to render says so, and the others work', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/401|no such month/u);
  await page.goto('/admin');
  await logInAsAdmin(page);
  await expect(page.getByRole('table', { name: 'Products' })).toBeVisible();
  await page.evaluate(() => {
    Date.prototype.toISOString = () => {
      throw new RangeError('no such month');
    };
  });
  await page.getByRole('link', { name: /^Orders/u }).click();
  await expect(page.getByRole('alert')).toContainText('this part of the page cannot be shown');
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await expect(page.getByRole('heading', { name: 'Orders', level: 2 })).toBeVisible();
});
