import type { Page } from '@playwright/test';
import { waitForMail } from './mailbox.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { demoCustomer } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import {
  createCustomer,
  followMailedLink,
  mailedPageLink,
  newCredentials,
  openSession,
  signUpElsewhere,
  startWith,
  type Credentials,
} from './customers.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';

async function fillCredentials(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

test('a wrong password is refused in the words of the spec', async ({ page, expectProblem }) => {
  expectProblem(/400/u);
  await page.goto('/auth');
  await expect(page.getByText('Welcome back! Please login to your account.')).toBeVisible();
  await fillCredentials(page, { ...newCredentials(), password: 'wrong-password' });
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expectToast(page, 'Login failed. Please check your credentials.');
  await expect(page.getByLabel('Email', { exact: true })).not.toHaveValue('');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toBeFocused();
  await expect(password).toHaveAccessibleDescription(/You can also log in with a code\.$/u);
});

test('a new customer signs up, confirms the address by the link of a mail, and is signed in', async ({
  page,
}) => {
  const credentials = newCredentials();
  await page.goto('/auth');
  await page.getByRole('button', { name: "Don't have an account? Sign up" }).click();
  await fillCredentials(page, credentials);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expectToast(
    page,
    'Account created! Please check your email to confirm your account before logging in.',
  );
  await expect(page.getByRole('heading', { name: 'One step left' })).toBeVisible();
  const note = page.getByRole('region', { name: 'Check your mail' });
  await expect(note).toContainText(`Enter the 8-digit code that we sent to ${credentials.email}`);
  await note.getByRole('button', { name: 'Change the address' }).click();
  await expect(page.getByRole('heading', { name: 'Sign Up' })).toBeVisible();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(credentials.email);
  await followMailedLink(page, await waitForMail(credentials.email, /confirm/iu));
  await expect(page.getByRole('heading', { name: 'Your e-mail is confirmed' })).toBeVisible();
  await expectAccessible(page, 'the password after the confirmation');
  // A reload comes back to it; the password of the sign-up may be chosen again.
  await page.reload();
  await page.getByLabel('Password', { exact: true }).fill(credentials.password);
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.waitForURL('/');
  await openSession(credentials);
  await page.goto('/profile');
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await expect(page.getByRole('main').getByText(credentials.email).first()).toBeVisible();
});

test('a link whose mail was requested in another browser signs in only after a press; whoever registered the address before its owner is then locked out', async ({
  page,
}) => {
  const stranger = await signUpElsewhere();
  const owner = { email: stranger.email, password: 'the-owners-thread-9' };
  await page.goto(mailedPageLink(await waitForMail(stranger.email, /confirm/iu)));
  await expect(page.getByText(`You are about to be signed in as ${owner.email}.`)).toBeVisible();
  await expectAccessible(page, 'the question before a link signs in');
  expect(await page.evaluate(() => localStorage.getItem('kasavu:auth'))).toBeNull();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Your e-mail is confirmed' })).toBeVisible();
  // The owner has not chosen a password yet, and the stranger's is of no use already.
  await expect(openSession(stranger)).rejects.toThrow();
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.waitForURL('/');
  await openSession(owner);
  await expect(openSession(stranger)).rejects.toThrow();
  await page.goto('/profile');
  await expect(page.getByRole('main').getByText(owner.email).first()).toBeVisible();
});

test('a link into another account leaves whoever is signed in where they are, unless they want it', async ({
  page,
  context,
}) => {
  const customer = await createCustomer();
  await startWith(context, { customer });
  await page.goto('/');
  const { email } = await signUpElsewhere();
  await page.goto(mailedPageLink(await waitForMail(email, /confirm/iu)));
  await expect(page.getByText(`Now you are signed in as ${customer.email}.`)).toBeVisible();
  await page.getByRole('button', { name: 'No, leave it' }).click();
  await page.waitForURL('/');
  await page.goto('/profile');
  await expect(page.getByRole('main').getByText(customer.email).first()).toBeVisible();
});

test(
  'the demo customer logs in, stays logged in, and logs out in every tab',
  { tag: '@every-width' },
  async ({ page, context, isMobile }) => {
    await page.goto('/auth');
    await fillCredentials(page, demoCustomer());
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await page.waitForURL('/');
    await expectToast(page, 'Logged in successfully!');
    await page.reload();
    const other = await context.newPage();
    await other.goto('/profile');
    await expect(other.getByRole('button', { name: 'Sign Out' })).toBeVisible();
    // A tab behind another draws one frame a second.
    await page.bringToFront();

    // The dialog keeps its place when a tab is shorter: 'Sign Out' never comes under a finger that meant 'Orders'.
    await page
      .getByLabel(isMobile ? 'Menu' : 'Account', { exact: true })
      .first()
      .click();
    await page.getByRole('link', { name: 'Profile' }).filter({ visible: true }).click();
    const dialog = page.getByRole('dialog', { name: 'My Account' });
    await expect(dialog.getByText(demoCustomer().email).first()).toBeVisible();
    const orders = dialog.getByRole('tab', { name: 'Orders' });
    // Without motion the dialog still has one frame in which it stands 12 px lower.
    await dialog.evaluate((node) =>
      Promise.all(node.getAnimations().map((animation) => animation.finished)),
    );
    const before = await orders.boundingBox();
    await orders.click();
    await expect(
      dialog.getByText('No orders yet').or(dialog.getByText('Total Amount').first()),
    ).toBeVisible();
    expect(await orders.boundingBox()).toEqual(before);
    await dialog.getByRole('button', { name: 'Close' }).click();

    await page
      .getByLabel(isMobile ? 'Menu' : 'Account', { exact: true })
      .first()
      .click();
    await page.getByRole('button', { name: 'Logout' }).filter({ visible: true }).click();
    await expectToast(page, 'Signed out successfully');
    await other.waitForURL(/\/auth/u);
  },
);

test('a forgotten password is replaced through a mail', async ({ page }) => {
  const { email, password } = await createCustomer({ withPassword: true });
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Forgotten password?' }).click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expectToast(page, 'Please check your email');
  const note = page.getByRole('region', { name: 'Check your mail' });
  await expect(note.getByRole('button', { name: /^Send a new code in \d+ s$/u })).toBeVisible();
  await expectAccessible(page, 'the login after a mail was requested');
  await followMailedLink(page, await waitForMail(email, /is your code/iu));
  await page.getByLabel('Password', { exact: true }).fill('a-new-thread-8');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.waitForURL('/');
  await expectToast(page, 'Password saved');
  await openSession({ email, password: 'a-new-thread-8' });
  await expect(openSession({ email, password })).rejects.toThrow();
});

test('the profile shows what is not set, keeps what is saved and cancels what is not', async ({
  page,
  context,
}) => {
  await startWith(context, { customer: await createCustomer() });
  await page.goto('/profile');
  await expect(page.getByText('Not set').first()).toBeVisible();
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Full Name').fill('A');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Name must be at least 2 characters')).toBeVisible();
  await expectAccessible(page, 'the form of the profile with an error');
  await expect(page.getByRole('alert')).toContainText('Please correct the highlighted fields.');
  await page.getByLabel('Full Name').fill('Anjali Menon');
  await page.getByLabel('Postal Code').fill('68201');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(
    page.getByText('PIN codes have six digits. Send it to 68201 all the same?'),
  ).toBeInViewport();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(page, 'Profile updated successfully');
  await expect(page.getByText('68201')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Anjali Menon').first()).toBeVisible();
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('City').fill('Kochi');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  await expect(page.getByText('Anjali Menon').first()).toBeVisible();
  await expect(page.getByText('Kochi')).toBeHidden();
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect(page.getByText('No orders yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Start Shopping' })).toHaveAttribute('href', '/shop');
});

test('the profile is for signed-in customers, and the link of a mail to the orders leads there after the login', async ({
  page,
}) => {
  await page.goto('/profile#orders');
  await page.waitForURL(/\/auth/u);
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible();
  await fillCredentials(page, demoCustomer());
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL('/profile#orders');
  await expect(page.getByRole('tab', { name: 'Orders' })).toHaveAttribute('aria-selected', 'true');
});

test('a customer deletes the account through a mailed link', async ({ page, context }) => {
  const customer = await createCustomer();
  await startWith(context, { customer });
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Delete my account…' }).click();
  await page.getByRole('button', { name: 'Send me the link' }).click();
  await expect(page.getByText(`We sent a link to ${customer.email}.`)).toBeVisible();
  await expectAccessible(page, 'the profile when its account is to be deleted');
  const { links } = await waitForMail(customer.email, /delete/iu);
  await page.goto(links.find((link) => link.includes('/account/delete')) ?? '');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
  // The page's script comes after its text.
  await page.waitForFunction(() => localStorage.getItem('kasavu:auth') === null);
  await page.goto('/profile');
  await page.waitForURL(/\/auth/u);
});
