import { expect, logIn, newShopper, runningShop, signUp, test, waitForMail } from './shop.ts';

test('a wrong password is refused in the words of the spec', async ({ page, expectProblem }) => {
  expectProblem(/400/u);
  await page.goto('/auth');
  await expect(page.getByText('Welcome back! Please login to your account.')).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill(newShopper().email);
  await page.getByLabel('Password', { exact: true }).fill('wrong-password');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByText('Login failed. Please check your credentials.')).toBeVisible();
  await expect(page.getByLabel('Email', { exact: true })).not.toHaveValue('');
});

test('the demo shopper logs in, stays logged in, and logs out in every tab', async ({ page, context, isMobile }) => {
  await logIn(page, runningShop().shopper);
  expect(new URL(page.url()).pathname).toBe('/');
  await expect(page.getByText('Logged in successfully!')).toBeVisible();
  await page.reload();
  const other = await context.newPage();
  await other.goto('/profile');
  await expect(other.getByRole('button', { name: 'Sign Out' })).toBeVisible();

  await page.getByLabel(isMobile ? 'Menu' : 'Account', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Logout' }).filter({ visible: true }).click();
  await expect(page.getByText('Signed out successfully')).toBeVisible();
  await other.waitForURL(/\/auth/u);
});

test('a forgotten password is replaced through a mail', async ({ page }) => {
  const shopper = await signUp(page);
  await page.evaluate(() => {
    localStorage.clear();
  });
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Forgotten password?' }).click();
  await page.getByLabel('Email', { exact: true }).fill(shopper.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('Please check your email')).toBeVisible();
  const mail = await waitForMail(page, shopper.email, /password|reset/iu);
  await page.goto(mail.links.find((link) => link.includes('verify')) ?? '');
  await page.getByLabel('Password', { exact: true }).fill('a-new-thread-8');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.waitForURL('/', { waitUntil: 'commit' });
  await expect(page.getByText('Password saved')).toBeVisible();
  await page.evaluate(() => {
    localStorage.clear();
  });
  await logIn(page, { ...shopper, password: 'a-new-thread-8' });
});

test('the profile shows what is not set, keeps what is saved and cancels what is not', async ({ page }) => {
  await signUp(page);
  await page.goto('/profile');
  await expect(page.getByText('Not set').first()).toBeVisible();
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Full Name').fill('A');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Name must be at least 2 characters')).toBeVisible();
  await page.getByLabel('Full Name').fill('Anjali Menon');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile updated successfully')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Anjali Menon').first()).toBeVisible();
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('City').fill('Kochi');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Kochi')).toBeHidden();
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect(page.getByText('No orders yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Start Shopping' })).toHaveAttribute('href', '/shop');
});

test('the profile is for signed-in shoppers', async ({ page }) => {
  await page.goto('/profile');
  await page.waitForURL(/\/auth/u);
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible();
});
