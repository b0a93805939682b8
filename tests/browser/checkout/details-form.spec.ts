import type { Locator, Page } from '@playwright/test';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { createCustomer, startWith, type Customer } from '#tests/browser/account/customers.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { fillDetails, openDetails } from './checkout-steps.ts';
import { pin, sendsToOtherStates } from '#tests/browser/support/destination.ts';

test.use({ viewport: { width: 360, height: 740 } });

const pay = (dialog: Locator): Promise<void> =>
  dialog.getByRole('button', { name: 'Proceed to Payment' }).click();

/** Pays in the sandbox's window and waits for the confirmation. */
async function payInSandbox(page: Page): Promise<void> {
  await page
    .frameLocator('iframe[title="Razorpay sandbox"]')
    .getByRole('button', { name: 'Pay', exact: true })
    .click();
  await page.waitForURL(/\/order-success\?/u);
}

/** Expects that nothing lies over an element, all of which is on screen. */
async function expectInView(element: Locator): Promise<void> {
  await expect(element).toBeVisible();
  expect(
    await element.evaluate((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      const isOwn = (x: number, y: number): boolean => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && (node.contains(hit) || hit.contains(node));
      };
      const inset = 2;
      return {
        isOnScreen: top >= 0 && bottom <= window.innerHeight && bottom - top > inset,
        isOnTop:
          isOwn(left + inset, top + inset) &&
          isOwn(right - inset, bottom - inset) &&
          // The input's or the text's own line, not only its corners.
          isOwn((left + right) / 2, (top + bottom) / 2),
      };
    }),
    (await element.textContent()) ?? '',
  ).toEqual({ isOnScreen: true, isOnTop: true });
}

async function startCheckout(
  page: Page,
  newProduct: () => Promise<Parameters<typeof cartLine>[0]>,
): Promise<{ customer: Customer; dialog: Locator }> {
  const [customer, ring] = await Promise.all([createCustomer(), newProduct()]);
  await startWith(page.context(), { customer, cart: [cartLine(ring)] });
  const dialog = await openDetails(page);
  await fillDetails(dialog, customer.email);
  return { customer, dialog };
}

test('after a refused press the first wrong field, its label and its message are in view, above the total', async ({
  page,
  newProduct,
}, testInfo) => {
  const { dialog } = await startCheckout(page, newProduct);
  for (const [label, message] of [
    ['City', 'City must be at least 2 characters'],
    ['Postal Code', 'Postal code must be at least 4 characters'],
    ['Address', 'Address must be at least 10 characters'],
    ['Name', 'Name must be at least 2 characters'],
  ] as const) {
    const field = dialog.getByLabel(label, { exact: true });
    await field.fill('');
    await pay(dialog);
    await expect(field).toBeFocused();
    await expectInView(field);
    await expectInView(dialog.locator('label', { hasText: new RegExp(`^${label}$`, 'u') }));
    await expectInView(dialog.getByText(message));
    const summary = dialog.getByRole('alert');
    await expect(summary).toContainText('Validation Error');
    await expect(summary).toContainText('Please correct the highlighted fields.');
    await expectInView(summary);
    await expect(page.locator('.toast')).toHaveCount(0);
    await page.screenshot({ path: testInfo.outputPath(`${label}.png`) });
  }
  await expectAccessible(page, 'the details with messages');
  await dialog.getByLabel('Name', { exact: true }).fill('Anjali Menon');
  await expect(dialog.getByText('Name must be at least 2 characters')).toBeHidden();
});

test('every field of the details can be reached from the one before, with nothing over it', async ({
  page,
  newProduct,
}) => {
  const { dialog } = await startCheckout(page, newProduct);
  await dialog.getByLabel('Name', { exact: true }).focus();
  const stops = [
    ...['Email', 'Phone', 'Address', 'Postal Code', 'City'].map((label) =>
      dialog.getByLabel(label, { exact: true }),
    ),
    ...(cashOnDelivery === null ? [] : [dialog.getByRole('radio', { name: 'Pay now' })]),
    dialog.locator('summary', { hasText: 'Is this a gift?' }),
    dialog.getByLabel('Notes (optional)'),
  ];
  for (const field of stops) {
    await page.keyboard.press('Tab');
    await expect(field).toBeFocused();
    await expectInView(field);
  }
});

test('a PIN code or phone that no courier can use is asked about once, in view, and the next press goes on', async ({
  page,
  newProduct,
}, testInfo) => {
  // Such a seller's checkout refuses what is in no state, and what is in another one.
  test.skip(!sendsToOtherStates, 'this seller sends within the own state alone');
  const { customer, dialog } = await startCheckout(page, newProduct);
  const asked: string[] = [];
  await page.route('**/api/payment/create-order', async (route) => {
    asked.push(String((route.request().postDataJSON() as { asked_about: unknown }).asked_about));
    await route.continue();
  });
  const pin = dialog.getByLabel('Postal Code');
  await pin.fill('68201');
  await dialog.getByLabel('City', { exact: true }).fill('Kochi');
  const phone = dialog.getByLabel('Phone', { exact: true });
  await phone.fill('0484-abcdefgh');
  await pay(dialog);
  await pay(dialog);
  await expect(phone).toHaveAccessibleDescription(/A phone number has no letters\./u);
  await phone.fill('+44 7911 123456');
  await pay(dialog);
  const phoneQuestion = dialog.getByText(
    'Phone numbers in India have ten digits. Use +44 7911 123456 all the same?',
  );
  await expectInView(phoneQuestion);
  await phone.fill('+91 98470 12345');
  await expect(phoneQuestion).toBeHidden();
  const question = dialog.getByText('PIN codes have six digits. Send it to 68201 all the same?');
  await expect(question).toBeVisible();
  await page.screenshot({ path: testInfo.outputPath('question.png') });

  await pin.fill('999999');
  await pay(dialog);
  await expectInView(dialog.getByText('Send it to 999999 all the same?'));
  await pin.fill('68201');
  await pay(dialog);
  await expectInView(question);
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  expect(asked).toEqual([]);
  await pay(dialog);
  await payInSandbox(page);
  expect(asked).toEqual(['postal_code']);
  const { data } = await supabaseAs('shop')
    .from('orders')
    .select('customer_postal_code, asked_about')
    .eq('customer_email', customer.email);
  expect(data).toEqual([{ customer_postal_code: '68201', asked_about: ['postal_code'] }]);
});

test('the next order is filled with what was paid, as one line that can be opened, and not with a try before', async ({
  page,
  newProduct,
}, testInfo) => {
  const { customer, dialog } = await startCheckout(page, newProduct);
  await dialog.getByLabel('Address').fill('1 Old Street, Gone');
  await pay(dialog);
  await page
    .frameLocator('iframe[title="Razorpay sandbox"]')
    .getByRole('button', { name: /close/iu })
    .click();
  await dialog.getByLabel('Address').fill('14 Temple Road, West');
  await pay(dialog);
  await payInSandbox(page);

  await page.goto('/profile');
  await expect(page.getByText('14 Temple Road, West')).toBeVisible();
  const ring = await newProduct();
  await page.evaluate(
    (cart) => {
      localStorage.setItem('kasavu:cart', cart);
    },
    JSON.stringify([cartLine(ring)]),
  );
  await openDetails(page);
  const line = dialog.getByText(`Deliver to: Anjali Menon, 14 Temple Road, West, Thrissur ${pin}`);
  await expect(line).toBeVisible();
  await expect(dialog.getByLabel('Address')).toHaveCount(0);
  await expectAccessible(page, 'the details in one line');
  await page.screenshot({ path: testInfo.outputPath('one-line.png') });
  await dialog.getByRole('button', { name: 'Change the address' }).click();
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();
  await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue(customer.email);
  await dialog.getByLabel('Address').fill('');
  await pay(dialog);
  await expectInView(dialog.getByText('Address must be at least 10 characters'));
});
