import type { Browser, Page } from '@playwright/test';
import { cartMailAfterHours } from '#settings/cart-mail.ts';
import { createCustomer, startWith, type Customer } from '#tests/browser/account/customers.ts';
import { mailTo, waitForMail } from '#tests/browser/account/mailbox.ts';
import { cartLine, type ProductRow } from '#tests/browser/catalogue/product-rows.ts';
import { placeOrder } from '#tests/browser/checkout/sale.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { runningShop, supabaseAs } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/admin/admin-page.ts';

/** The customer opened the payment and left, an hour before the shop mails such carts. */
async function leaveCart(customer: Customer, ring: ProductRow): Promise<number> {
  const { order } = await placeOrder(customer, 'Anjali Menon', [{ product: ring, quantity: 2 }]);
  const shop = supabaseAs('shop');
  const released = await shop.rpc('release_order', {
    p_order_id: order.number,
    p_reason: 'expired',
  });
  expect(released.error).toBeNull();
  const at = new Date(Date.now() - ((cartMailAfterHours ?? 0) + 1) * 3_600_000).toISOString();
  const { error } = await shop
    .from('orders')
    .update({ created_at: at, released_at: at })
    .eq('id', order.number);
  expect(error).toBeNull();
  return order.number;
}

async function sweep(page: Page): Promise<void> {
  // Sign-ups of other tests use up the share of mails.
  await supabaseAs('shop').from('costs').delete().gt('id', 0);
  expect((await page.request.post('/local/sweep')).ok()).toBe(true);
}

const newBrowser = (browser: Browser) =>
  browser.newContext({
    baseURL: runningShop().url,
    storageState: { cookies: [], origins: [] },
  });

test('a customer who left a cart gets one mail, opens it in a browser that has another cart, and loses nothing; one press ends such mails', async ({
  page,
  browser,
  newProduct,
}) => {
  test.skip(cartMailAfterHours === null, 'this shop sends no mails about left carts');
  test.slow();
  const mark = crypto.randomUUID().slice(0, 8);
  const ring = await newProduct({ name: `Left Ring ${mark}`, stock: 9 });
  const chain = await newProduct({ name: `Own Chain ${mark}`, stock: 9 });
  const customer = await createCustomer();
  const number = await leaveCart(customer, ring);
  await sweep(page);
  const { text, links } = await waitForMail(customer.email, /^You left something/u);
  expect(text).toContain(`${ring.name} × 2`);
  const link = links.find((address) => address.includes('/left-cart#')) ?? '';
  expect(link).toContain(`/left-cart#${ring.id}.2`);

  const context = await newBrowser(browser);
  await startWith(context, { cart: [{ ...cartLine(chain), quantity: 3 }] });
  const fresh = await context.newPage();
  await fresh.goto(link);
  await fresh.waitForURL('**/cart');
  await expect(fresh.getByRole('heading', { name: 'Shopping Cart (5 items)' })).toBeVisible();
  const quantityOf = ({ name }: ProductRow) =>
    fresh.getByRole('group', { name: `Quantity of ${name}` });
  await expect(quantityOf(ring)).toContainText('2');
  await expect(quantityOf(chain)).toContainText('3');
  // Opened again, it adds nothing.
  await fresh.goto(link);
  await fresh.waitForURL('**/cart');
  await expect(fresh.getByRole('heading', { name: 'Shopping Cart (5 items)' })).toBeVisible();

  await fresh.route('**/rest/v1/products*', (route) => route.abort());
  await fresh.goto('/');
  await fresh.goto(link);
  await expect(fresh.getByText('The pieces could not be loaded.')).toBeVisible();
  await expectAccessible(fresh, 'the page of a mailed cart');
  expect(await overflowOf(fresh)).toBeLessThanOrEqual(0);
  await fresh.unroute('**/rest/v1/products*');

  await fresh.goto(links.find((address) => address.includes('/cart-mail/unsubscribe')) ?? '');
  await expectAccessible(fresh, 'the page that ends mails about carts');
  await fresh.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(fresh.getByRole('heading', { name: 'No more e-mails about carts' })).toBeVisible();
  await expectAccessible(fresh, 'the page after the last mail about a cart');

  // The order looks as if no mail had gone out: only the wish prevents the next one.
  const shop = supabaseAs('shop');
  await shop.from('outbox').delete().eq('order_id', number);
  await shop.from('orders').update({ cart_mailed_at: null }).eq('id', number);
  await sweep(page);
  const sent = (await mailTo(customer.email)).filter(({ subject }) =>
    subject.startsWith('You left something'),
  );
  expect(sent).toHaveLength(1);
  await context.close();
});

test('a link of a mailed cart that was cut says so and changes no cart', async ({
  browser,
  newProduct,
}) => {
  const chain = await newProduct({ stock: 9 });
  const context = await newBrowser(browser);
  await startWith(context, { cart: [{ ...cartLine(chain), quantity: 3 }] });
  const fresh = await context.newPage();
  await fresh.goto('/left-cart#cut');
  await expect(fresh.getByText('This link is incomplete.')).toBeVisible();
  await fresh.getByRole('link', { name: 'See your cart' }).click();
  await expect(fresh.getByRole('heading', { name: 'Shopping Cart (3 items)' })).toBeVisible();
  await context.close();
});
