import type { ShopSettings } from '#shop-schema/shop-schema.ts';

/** The shop's name, numbers and fee. No secrets in this folder: most of it reaches browsers. */
export const shop: ShopSettings = {
  name: 'Kasavu',
  supportEmail: 'care@kasavu.example',
  prefixes: { order: 'KSV', invoice: 'KSV', creditNote: 'CN' },
  platformFeeBps: 236,
  reviews: { shown: true, stars: 5, count: 42, askAfterDays: 7 },
  shippingLabel: 'Free',
};
