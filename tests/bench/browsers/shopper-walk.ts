/* A customer's way through the shop, from the home page to a paid order and a new password. */
import { mailedPageLink, newCredentials } from '../../browser/account/shoppers.ts';
import { mailTo, type Mail } from '../../browser/account/mailbox.ts';
import { waitUntil } from './engine.ts';
import type { Page } from './page.ts';

/** A step's name and what it does. Whatever it throws is the step's fault. */
export type Step = readonly [name: string, work: (page: Page) => Promise<void>];

/** The customer's traces for the admin. */
export interface Bought {
  /** The number of the paid order; empty until it is paid. */
  order: string;
}

/** The product of the walk: the build has its page, and its sizes are set before. */
export const ring = 'Palakka Mothiram';
const sandbox = 'iframe[title="Razorpay sandbox"]';
const newPassword = 'a-new-thread-8';

async function mailAbout(address: string, subject: RegExp): Promise<Mail> {
  return waitUntil(`a mail about ${String(subject)}`, async () =>
    (await mailTo(address)).find((mail) => subject.test(mail.subject)),
  );
}

async function logOut(page: Page): Promise<void> {
  await page.open('/');
  await page.press('button', page.isNarrow ? 'Menu' : 'Account');
  await page.press('button', 'Logout');
  await page.see('Signed out successfully');
}

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.fill('Email', email);
  await page.fill('Password', password);
  await page.press('button', 'Login');
}

const details = {
  Name: 'Anjali Menon',
  Phone: '+91 98470 12345',
  Address: '14 Temple Road, Vadakkumnathan West',
  City: 'Thrissur',
  'Postal Code': '680001',
};

/**
 * The steps of one customer.
 * @param code a discount code that the shop accepts
 */
export function shopperSteps(code: string, bought: Bought): readonly Step[] {
  const { email, password } = newCredentials();
  return [
    [
      'home',
      async (page) => {
        await page.open('/');
        await page.find('link', 'Shop Collection');
        await page.see('Featured Collection');
      },
    ],
    [
      'search on /shop',
      async (page) => {
        await page.press('link', 'Shop Collection');
        await page.arriveAt('/shop');
        await page.fill(/^Search/u, 'palaka mothiram');
        await page.find('link', new RegExp(`^Choose size: ${ring}$`, 'u'));
      },
    ],
    [
      'product with sizes',
      async (page) => {
        await page.press('link', `Choose size: ${ring}`);
        await page.arriveAt('/product/');
        await page.press('button', 'Add to Cart');
        await page.see('Please choose your size first.');
        await page.press('choice', '14');
        await page.press('button', 'Add to Cart');
        await page.see('Added to cart!');
      },
    ],
    [
      'wishlist',
      async (page) => {
        await page.press('button', `Add ${ring} to wishlist`);
        await page.see('Added to wishlist');
        await page.open('/wishlist');
        await page.see(ring);
      },
    ],
    [
      'cart',
      async (page) => {
        await page.open('/cart');
        await page.see('Size 14');
        await page.press('button', /^Increase quantity of Palakka Mothiram/u);
        await page.see('₹2,659.31');
      },
    ],
    [
      'discount code',
      async (page) => {
        await page.fill('Discount code', code.toLowerCase());
        await page.press('button', 'Apply');
        await page.see(`Discount (${code})`);
      },
    ],
    [
      'sign-up with the mailed link',
      async (page) => {
        await page.open('/auth');
        await page.press('button', "Don't have an account? Sign up");
        await page.fill('Email', email);
        await page.fill('Password', password);
        await page.press('button', 'Sign Up');
        await page.see(`We sent a link to ${email}`);
        await page.open(mailedPageLink(await mailAbout(email, /confirm/iu)));
        await page.find('heading', 'Your e-mail is confirmed');
        await page.fill('Password', password);
        await page.press('button', 'Save password');
        await page.see('Password saved');
      },
    ],
    [
      'login',
      async (page) => {
        await logOut(page);
        await page.open('/auth?next=/cart');
        await logIn(page, email, password);
        await page.arriveAt('/cart');
        await page.see('Size 14');
      },
    ],
    [
      'details with bad input',
      async (page) => {
        await page.open('/cart');
        await page.press('button', 'Proceed to Checkout');
        await page.fill('Name', 'Anjali M');
        await page.fill('Phone', '12');
        await page.press('button', 'Proceed to Payment');
        await page.see('City must be at least 2 characters');
        for (const [label, text] of [
          ['Name', 'Anjali M'],
          ['Phone', '12'],
        ] as const) {
          const kept = await page.valueOf(label);
          if (kept !== text) throw new Error(`${label} holds “${kept}”, not “${text}”`);
        }
      },
    ],
    [
      'details, and the payment opens',
      async (page) => {
        for (const [label, text] of Object.entries({ ...details, Email: email }))
          await page.fill(label, text);
        await page.press('button', 'Proceed to Payment');
        await page.find('button', 'Pay', { frame: sandbox });
      },
    ],
    [
      'payment fails',
      async (page) => {
        await page.press('button', 'Fail', { frame: sandbox });
        await page.see('Payment Failed');
      },
    ],
    [
      'payment dismissed',
      async (page) => {
        await page.press('button', 'Close', { frame: sandbox });
        await page.see('You cancelled the payment.');
        await page.find('field', 'City');
      },
    ],
    [
      'payment succeeds',
      async (page) => {
        await page.press('button', 'Proceed to Payment');
        await page.press('button', 'Pay', { frame: sandbox });
        await page.arriveAt('/order-success?');
        await page.find('heading', 'Thank You for Your Order!');
        await mailAbout(email, /order/iu);
      },
    ],
    [
      'order in the account',
      async (page) => {
        await page.open('/profile#orders');
        await page.see('COMPLETED');
        await page.see(`${ring} · Size 14`);
        bought.order = await page.script(
          () => /Order #(?<number>\d+)/iu.exec(document.body.innerText)?.groups?.['number'] ?? '',
          [],
        );
        if (bought.order === '') throw new Error('The order shows no number');
      },
    ],
    [
      'password reset by mail',
      async (page) => {
        await logOut(page);
        await page.open('/auth');
        await page.press('button', 'Forgotten password?');
        await page.fill('Email', email);
        await page.press('button', 'Send link');
        await page.see('Please check your email');
        await page.open(mailedPageLink(await mailAbout(email, /password|reset/iu)));
        await page.fill('Password', newPassword);
        await page.press('button', 'Save password');
        await page.see('Password saved');
        await logOut(page);
        await page.open('/auth');
        await logIn(page, email, newPassword);
        await page.see('Logged in successfully!');
      },
    ],
  ];
}
