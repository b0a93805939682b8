import { readFileSync } from 'node:fs';
import { fillFacts } from '#domain/texts/facts.ts';
import { categories } from '#settings/categories.ts';
import { askAfterDays } from '#settings/reviews.ts';
import { seller } from '#settings/seller.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

const { shipping } = seller;
/** The times that the shop's own policy names. */
const shippingPolicy = readFileSync('src/shop/texts/shipping-policy.md', 'utf8');
const shippingTimes = (['standard', 'express', 'processing'] as const)
  .filter((name) => shippingPolicy.includes(`{{shipping.${name}}}`))
  .map((name) => shipping[name]);

/** The shop's own texts in the fields of that name: of a folded one the first line. */
function ownTexts(file: string, field: string): string[] {
  const yaml = readFileSync(`src/shop/texts/${file}`, 'utf8');
  const found = [...yaml.matchAll(new RegExp(`^[ -]+${field}: (?:>-\\n +)?(.+)$`, 'gmu'))];
  return found.map(([, text = '']) => fillFacts(text.trim(), file));
}

/** A route with texts that the spec gives for it. */
interface ListedPage {
  path: string;
  /** 200 by default. */
  status?: number;
  /** It shows products, whose price and stock it fetches once it is there. */
  products?: true;
  /** False without the shop's footer. */
  footer?: false;
  texts: readonly string[];
}

/** Every route that is open to anybody. */
export const pages: readonly ListedPage[] = [
  {
    path: '/',
    products: true,
    texts: [
      'Shop Collection',
      'Our Story',
      'Featured Collection',
      'View All Products',
      'Why Choose',
      ...ownTexts('home.yaml', 'title'),
    ],
  },
  {
    path: '/shop',
    products: true,
    texts: ['All Categories', 'Name A-Z', 'Price Low to High', 'Price High to Low', 'SALE'],
  },
  {
    path: `/shop?category=${shopCategory(4).slug}`,
    products: true,
    texts: [shopCategory(4).label],
  },
  { path: '/cart', texts: ['Continue Shopping'] },
  { path: '/wishlist', texts: ['Nothing kept yet', 'Press the heart on a piece'] },
  {
    path: '/contact',
    texts: [
      'Get in Touch',
      seller.contact.address,
      ...seller.contact.hours,
      'Full Name*',
      'Email Address*',
      'Subject',
      'Message*',
      'Questions people ask',
      ...ownTexts('contact.yaml', 'question'),
    ],
  },
  {
    path: '/about',
    texts: [
      'Our Story',
      'A Legacy of Excellence',
      'Our Values',
      ...ownTexts('about.yaml', 'title'),
      'What we Bring to You',
      'Meet Our Team',
    ],
  },
  {
    path: '/auth',
    texts: ['Welcome back! Please login to your account.', "Don't have an account? Sign up"],
  },
  { path: '/admin', footer: false, texts: ['Admin Access', 'Enter password'] },
  { path: '/privacy', texts: ['Privacy Policy'] },
  {
    path: '/returns',
    texts: ['No Returns & Refunds Policy', `${String(shipping.damageHours)} hours`],
  },
  { path: '/terms', texts: ['Terms and Conditions', '15.'] },
  { path: '/size-guide', texts: ['Size Guide', 'Around the finger', '57.2 mm', 'US 7'] },
  {
    path: '/shipping-policy',
    texts: ['Shipping Policy', ...shippingTimes],
  },
  {
    path: '/order-success?order_id=order_AAAAAAAAAAAAAA&payment_id=pay_AAAAAAAAAAAAAA',
    texts: [
      'Thank You for Your Order!',
      'Your order has been successfully placed and is being processed.',
      'order_AAAAAAAAAAAAAA',
      'Back to Home',
      'Continue Shopping',
    ],
  },
  {
    path: '/order-success?payment_id=pay_AAAAAAAAAAAAAA&status=pending&payment=mismatch',
    texts: [
      'Your Payment Could Not Be Used',
      'Your payment does not have the amount of this order. It is refunded in full; please write to us.',
      'pay_AAAAAAAAAAAAAA',
    ],
  },
  { path: '/order', texts: ['Your order', 'This link is incomplete.'] },
  { path: '/damage', texts: ['Report damage', 'This link is incomplete.'] },
  ...(askAfterDays === null
    ? []
    : [{ path: '/review', texts: ['Write a review', 'This link is incomplete.'] }]),
  { path: '/pay?order=1&token=cut', texts: ['Your order', 'This payment link is not valid.'] },
  {
    path: '/newsletter/confirm?token=cut',
    texts: ['Confirm your subscription', 'Yes, send me news'],
  },
  { path: '/account/delete?token=cut', texts: ['Delete your account', 'Keep it'] },
  { path: '/account/deleted', texts: ['Your account is deleted'] },
  { path: '/newsletter/unsubscribe?token=cut', texts: ['Leave the newsletter?', 'One press'] },
  { path: '/left-cart', texts: ['Your cart', 'This link is incomplete.'] },
  { path: '/cart-mail/unsubscribe?token=cut', texts: ['No e-mails about carts?', 'One press'] },
  { path: '/stock-alert/confirm?token=cut', texts: ['Shall we notify you?', 'Yes, notify me'] },
  { path: '/no/such/page', status: 404, texts: ['Oops! Page not found'] },
  { path: '/product/not-an-id', status: 404, texts: ['Product not found', 'Back to Shop'] },
];

/** The footer's texts on every page. */
export const footerTexts = [
  'Quick Links',
  ...categories.map(({ label }) => label),
  'Subscribe',
  'Privacy Policy',
];
