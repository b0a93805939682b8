import type { ShopSettings } from '../shop-schema/shop-schema.ts';

export const shop: ShopSettings = {
  name: 'Rupali Silver',
  supportEmail: 'namaskar@rupali.example',
  prefixes: { order: 'PJ', invoice: 'RS', creditNote: 'RSC' },
  platformFeeBps: 236,
  reviews: { shown: false, stars: 5, count: 0 },
  shippingLabel: '₹80.00',
};
