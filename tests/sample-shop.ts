import type { ShopSettings } from '#shop-schema/shop-schema.ts';

/** The numbers of the spec (section 9), for tests that state them, in place of `src/shop/shop.ts`. */
export const sampleShop: ShopSettings = {
  name: 'Sample Shop',
  supportEmail: 'care@sample.example',
  prefixes: { order: 'SPL', invoice: 'SPL', creditNote: 'CN' },
  platformFeeBps: 236,
  reviews: { shown: true, stars: 5, count: 42, askAfterDays: 7 },
  shippingLabel: 'Free',
};
