/** A route with words that the spec gives for it. */
interface ListedPage {
  path: string;
  /** 200 unless told. */
  status?: number;
  /** It shows pieces, whose price and stock it asks for once it is there. */
  pieces?: true;
  words: readonly string[];
}

/** Every route that is open to anybody. */
export const pages: readonly ListedPage[] = [
  { path: '/', pieces: true, words: ['Shop Collection', 'Our Story', 'Featured Collection', 'View All Products', 'Why Choose'] },
  { path: '/shop', pieces: true, words: ['All Categories', 'Name A-Z', 'Price Low to High', 'Price High to Low', 'SALE'] },
  { path: '/shop?category=watches', pieces: true, words: ['Watches'] },
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

/** What the footer says on every page. */
export const footerWords = ['Quick Links', 'Rings', 'Necklaces', 'Bracelets', 'Earrings', 'Watches', 'Subscribe', 'Privacy Policy'];
