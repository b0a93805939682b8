import { waitForMail } from '#tests/browser/account/mailbox.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, openMore, test } from '#tests/browser/admin/admin-page.ts';

test('a customer confirms that they wait for a size that is sold out, and the admin sees who waits', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const email = `waits-${crypto.randomUUID()}@example.com`;
  // The stock in the build, whatever was bought since.
  const sizes = Object.entries({ '10': 2, '12': 3, '14': 4, '16': 2, '18': 0 }).map(
    ([size, stock]) => ({ size, stock }),
  );
  const { data } = await supabaseAs('shop')
    .from('products')
    .update({ sizes })
    .eq('name', 'Palakka Mothiram')
    .select('id')
    .single();
  await page.goto(`/product/${String(data?.id)}`);
  // The form works before its script is there, too, by a page that asks for one more press: not what is tested here.
  const begun = page.waitForResponse(/\/api\/form-time\?form=/u);
  await page.getByText('Size 18: tell me when it is back').click();
  await begun;
  const form = page.getByRole('form', { name: 'Tell me when it is back' });
  await expect(form.getByLabel('Size')).toHaveValue('18');
  await form.getByLabel('Your e-mail address').fill(email);
  await expectAccessible(page, 'the form beside a sold-out size');
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
  await form.getByRole('button', { name: 'Tell me' }).click();
  await expect(page.getByText(`We will write to ${email}.`)).toBeFocused();
  await expect(form).toBeHidden();

  const { links } = await waitForMail(email, /please confirm/iu);
  await page.goto(links.find((link) => link.includes('/stock-alert/confirm')) ?? 'no link');
  await page.getByRole('button', { name: 'Yes, notify me' }).click();
  await expect(page).toHaveURL(/\/stock-alert\/confirmed$/u);

  await openMore(page);
  await page.locator('summary').filter({ hasText: 'Waiting for stock' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: email })).toContainText(
    'Palakka Mothiram · Size 18',
  );
  await page
    .getByRole('button', { name: `Delete ${email}, who waits for Palakka Mothiram · Size 18` })
    .click();
  await expectToast(page, 'Address deleted');
});

test('a product that is sold out offers the mail field, and neither a quantity nor a day of delivery', async ({
  page,
  newProduct,
}) => {
  const { id } = await newProduct({ name: 'Sold Out Ring', stock: 0 });
  await page.goto(`/product/${id}`);
  await expect(page.getByRole('button', { name: 'Out of Stock' })).toBeDisabled();
  await expect(page.getByRole('spinbutton', { name: 'Quantity' })).toBeHidden();
  await expect(page.getByLabel('Your PIN code')).toBeHidden();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(
    page.getByRole('form', { name: 'Tell me when it is back' }).getByLabel('Your e-mail address'),
  ).toBeVisible();
});
