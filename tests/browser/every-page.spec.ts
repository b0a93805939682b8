import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
import { countShifts } from './layout-shifts.ts';
import { addFromShop, expect, logIn, runningShop, test } from './shop.ts';

/** Every route with words that the spec gives for it. */
const pages: readonly { path: string; status?: number; words: readonly string[] }[] = [
  { path: '/', words: ['Shop Collection', 'Our Story', 'Featured Collection', 'View All Products', 'Why Choose'] },
  { path: '/shop', words: ['All Categories', 'Name A-Z', 'Price Low to High', 'Price High to Low', 'SALE'] },
  { path: '/shop?category=watches', words: ['Watches'] },
  { path: '/cart', words: ['Continue Shopping'] },
  {
    path: '/contact',
    words: [
      'Get in Touch',
      'Kerala, India',
      'Mon-Fri 9:00 AM-6:00 PM',
      'Sat 10:00 AM-4:00 PM',
      'Sun 10:00 AM-6:00',
      'Full Name*',
      'Email Address*',
      'Subject',
      'Message*',
      'Questions people ask',
    ],
  },
  {
    path: '/about',
    words: [
      'Our Story',
      'A Legacy of Excellence',
      'Our Values',
      'Exceptional Quality',
      'Affordability with Style',
      'Personal Service',
      'Trust & Transparency',
      'What we Bring to You',
      'Meet Our Team',
    ],
  },
  { path: '/auth', words: ['Welcome back! Please login to your account.', "Don't have an account? Sign up"] },
  { path: '/admin', words: ['Admin Access', 'Enter password'] },
  { path: '/privacy', words: ['Privacy Policy'] },
  { path: '/returns', words: ['No Returns & Refunds Policy', '48 hours'] },
  { path: '/terms', words: ['Terms and Conditions', '15.'] },
  { path: '/shipping-policy', words: ['Shipping Policy', '5-7 business days', '2-3 business days', '1-2 business days'] },
  {
    path: '/order-success?order_id=order_AAAAAAAAAAAAAA&payment_id=pay_AAAAAAAAAAAAAA',
    words: [
      'Thank You for Your Order!',
      'Your order has been successfully placed and is being processed.',
      'order_AAAAAAAAAAAAAA',
      'Back to Home',
      'Continue Shopping',
    ],
  },
  { path: '/no/such/page', status: 404, words: ['Oops! Page not found'] },
  { path: '/product/not-an-id', status: 404, words: ['Product not found', 'Back to Shop'] },
];

const footerWords = ['Quick Links', 'Rings', 'Necklaces', 'Bracelets', 'Earrings', 'Watches', 'Subscribe', 'Privacy Policy'];

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // Style, not validity: boolean attributes as Astro writes them, numbers as the spec writes them, build output.
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'long-title': 'off',
    'no-inline-style': 'off',
    'no-trailing-whitespace': 'off',
    'tel-non-breaking': 'off',
    'void-style': 'off',
  },
});

async function expectAccessible(page: Page, state: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  expect(findings, `axe on ${state}`).toEqual([]);
}

for (const { path, status = 200, words } of pages) {
  test(`${path} has its words, is valid and accessible, and does not move while it loads`, async ({
    page,
    expectProblem,
  }) => {
    if (status !== 200) expectProblem(new RegExp(String(status), 'u'));
    const shifted = await countShifts(page);
    const answer = await page.goto(path, { waitUntil: 'networkidle' });
    expect(answer?.status()).toBe(status);
    for (const word of [...words, ...footerWords]) await expect(page.getByText(word).first(), word).toBeAttached();
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);

    // Astro puts this rule beside the first island, wherever that is; browsers have always taken it.
    const html = ((await answer?.text()) ?? '').replace(/<style>astro-island[^<]*<\/style>/u, '');
    const report = await validator.validateString(html, path);
    const findings = report.results.flatMap((result) =>
      result.messages
        // The cart's order form is a hidden description for the form-collection service; scripts send it.
        .filter(({ ruleId }) => !(path === '/cart' && ruleId === 'wcag/h32'))
        .map((message) => `${message.ruleId} line ${String(message.line)}: ${message.message}`),
    );
    expect(findings, 'html-validate').toEqual([]);

    await expectAccessible(page, path);
    expect(await shifted(), 'cumulative layout shift').toBeLessThan(0.01);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, 'nothing wider than the screen').toBeLessThanOrEqual(0);
  });
}

test('a product page, a full cart, the details form with errors and the account are accessible', async ({ page }) => {
  await page.goto('/shop');
  await page.getByRole('link', { name: 'Muthu Embrace Ring' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Muthu Embrace Ring');
  await expectAccessible(page, 'product');
  await addFromShop(page, 'Muthu Embrace Ring');
  await logIn(page, runningShop().shopper);
  await page.goto('/cart');
  await expect(page.getByRole('button', { name: 'Proceed to Checkout' })).toBeVisible();
  await expectAccessible(page, 'cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Contact Information' });
  // The profile fills the form a moment after it opens.
  await expect(dialog.getByLabel('City', { exact: true })).not.toHaveValue('');
  await dialog.getByLabel('City', { exact: true }).fill('');
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  await expect(dialog.getByText('City must be at least 2 characters')).toBeVisible();
  await expectAccessible(page, 'details form with errors');
  await page.goto('/profile');
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  await expectAccessible(page, 'profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expectAccessible(page, 'profile form');
});

test('the pages that draw the shopper\'s own things do not move while they come', async ({ page, expectProblem }) => {
  // Nobody placed the order of this address.
  expectProblem(/404/u);
  await addFromShop(page, 'Muthu Embrace Ring');
  await logIn(page, runningShop().shopper);
  const shifted = await countShifts(page);
  for (const [path, sign] of [
    ['/cart', 'Proceed to Checkout'],
    ['/profile', 'Edit Profile'],
    ['/order-success?order_id=order_AAAAAAAAAAAAAA&status=pending', 'Questions?'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(sign).first()).toBeVisible();
    await page.waitForTimeout(1_000);
    expect(await shifted(), path).toBeLessThan(0.01);
  }
});
