/* The two walks: a customer's from the home page to a paid order and a new password, and the admin's day. */
import { newCredentials } from '#tests/browser/account/customers.ts';
import { waitForCode, waitForMail } from '#tests/browser/account/mailbox.ts';
import type { Page } from './page.ts';

/** Checks the page at the end of a step. */
export type Done = (step: string) => Promise<void>;

/** The product of the walk: the build has its page, and its sizes are set before. */
export const ring = 'Palakka Mothiram';
const sandbox = 'iframe[title="Razorpay sandbox"]';
const codeField = /^Enter the 8-digit code/u;
const details = {
  Name: 'Anjali Menon',
  Phone: '+91 98470 12345',
  Address: '14 Temple Road, Vadakkumnathan West',
  City: 'Thrissur',
  'Postal Code': '680001',
};

async function logOut(page: Page): Promise<void> {
  await page.open('/');
  await page.press('button', /^(?:Menu|Account)$/u);
  await page.press('button', 'Logout');
  await page.see('Signed out successfully');
}

/**
 * Walks as a customer; resolves to the number of the paid order.
 * @param code a discount code that the shop accepts
 */
export async function walkAsCustomer(page: Page, done: Done, code: string): Promise<string> {
  const { email, password } = newCredentials();
  await page.open('/');
  await page.find('link', 'Shop Collection');
  await page.see('Featured Collection');
  await done('home');

  await page.press('link', 'Shop Collection');
  await page.arriveAt('/shop');
  await page.fill(/^Search/u, 'palaka mothiram');
  await page.find('link', new RegExp(`^Choose size: ${ring}$`, 'u'));
  await done('search on /shop');

  await page.press('link', `Choose size: ${ring}`);
  await page.arriveAt('/product/');
  await page.press('button', 'Add to Cart');
  await page.see('Please choose your size first.');
  await page.press('choice', /^Size 14/u);
  await page.press('button', 'Add to Cart');
  await page.see('Added to cart!');
  await done('product with sizes');

  await page.press('button', `Add ${ring} to wishlist`);
  await page.see('Added to wishlist');
  await page.open('/wishlist');
  await page.see(ring);
  await done('wishlist');

  await page.open('/cart');
  await page.find('field', /^Size/u);
  await page.press('button', /^Increase quantity of Palakka Mothiram/u);
  await page.see('₹2,659.31');
  await done('cart');

  await page.fill('Discount code', code.toLowerCase());
  await page.press('button', 'Apply');
  await page.see(`Discount (${code})`);
  await done('discount code');

  await page.open('/auth?mode=signup&next=%2Fwishlist');
  await page.fill('Email', email);
  await page.fill('Password', password);
  await page.press('button', 'Sign Up');
  await page.find('field', codeField);
  await page.type('[data-walk]', await waitForCode(email, 'confirm'));
  await page.arriveAt('/wishlist');
  await done('sign-up with the mailed code');

  await logOut(page);
  await page.open('/auth?next=/cart');
  await page.fill('Email', email);
  await page.fill('Password', password);
  await page.press('button', 'Login');
  await page.arriveAt('/cart');
  await page.find('field', /^Size/u);
  await done('login');

  await page.open('/cart');
  await page.press('button', 'Proceed to Checkout');
  await page.fill('Name', 'Anjali M');
  await page.fill('Phone', '12');
  await page.press('button', 'Proceed to Payment');
  await page.see('City must be at least 2 characters');
  await done('details with bad input');

  for (const [label, text] of Object.entries({ ...details, Email: email }))
    await page.fill(label, text);
  await page.press('button', 'Proceed to Payment');
  await page.find('button', 'Pay', sandbox);
  await done('details, and the payment opens');

  await page.press('button', 'Fail', sandbox);
  await page.see('Payment Failed');
  await done('payment fails');

  await page.press('button', 'Close', sandbox);
  await page.see('You cancelled the payment.');
  await page.find('field', 'City');
  await done('payment dismissed');

  await page.press('button', 'Proceed to Payment');
  await page.press('button', 'Pay', sandbox);
  await page.arriveAt('/order-success?');
  await page.find('heading', 'Thank You for Your Order!');
  await waitForMail(email, /order/iu);
  await done('payment succeeds');

  await page.open('/profile#orders');
  await page.see('COMPLETED');
  await page.see(`${ring} · Size 14`);
  const order = await page.script(
    () => /Order #(?<number>\d+)/iu.exec(document.body.innerText)?.groups?.['number'] ?? '',
    [],
  );
  if (order === '') throw new Error('The order shows no number');
  await done('order in the account');

  await logOut(page);
  await page.open('/auth');
  await page.press('button', 'Forgotten password?');
  await page.fill('Email', email);
  await page.press('button', 'Send code');
  await page.find('field', codeField);
  await page.type('[data-walk]', await waitForCode(email, 'enter'));
  await page.fill('Password', 'a-new-thread-8');
  await page.press('button', 'Save password');
  await page.see('Password saved');
  await done('password reset by mail');
  return order;
}

/**
 * Walks as the admin: a new product with its image, and an order packed, shipped and refunded.
 * @param image path of a square image
 * @param product a name that the catalogue does not have
 */
export async function walkAsAdmin(
  page: Page,
  done: Done,
  { order, password, image, product }: Record<'order' | 'password' | 'image' | 'product', string>,
): Promise<void> {
  await page.open('/admin');
  await page.fill('Password', password);
  await page.press('button', 'Login');
  await page.find('link', /^Products/u);
  await done('admin logs in');

  await page.open('/admin#');
  await page.press('button', 'Add Product');
  await page.fill('Name', product);
  await page.fill('Price (₹)', '899');
  await page.choose('Category', 'Bracelets');
  await page.fill('Stock', '3');
  await page.type('dialog[open] input[type="file"]', image);
  await page.find('field', 'Description of picture 1');
  await page.press('button', 'Save');
  await page.gone('dialog[open]');
  await page.fill(/^Search/u, product);
  await page.see(product);
  await done('new product with an image');

  await page.open(`/admin#orders/${order}`);
  await page.find('heading', 'Deliver to');
  await page.see('14 Temple Road');
  await done('the order');

  await page.press('button', 'Mark packed');
  await page.find('button', 'Undo ‘Packed’');
  await done('order packed');

  await page.press('button', 'Mark shipped');
  await page.press('button', 'DTDC');
  await page.fill(/^Tracking number/u, 'D77001234');
  await page.press('button', 'Mark shipped');
  await page.gone('dialog[open]');
  await page.find('button', /Undo/u);
  await done('order shipped');

  await page.press('button', 'Refund');
  await page.press('button', 'The whole order');
  await page.fill('Reason', 'It came bent');
  await page.press('button', /^Refund ₹/u);
  await page.press('button', /^Yes, refund/u);
  await page.gone('dialog[open]');
  await page.see('is on its way back');
  await done('order refunded');
}
