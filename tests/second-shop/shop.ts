import type { ShopSettings } from '#shop-schema/shop-schema.ts';

export const shop: ShopSettings = {
  name: "Maya & Sons' Clay Jewels",
  supportEmail: 'namaste@mayaclay.example',
  prefixes: { order: 'MC', invoice: 'MSC', creditNote: 'MSR' },
  platformFeeBps: 118,
  lowStockBelow: 3,
  deploysPerMonth: 20,
  opensOn: '2026-12-10',
  reviews: { shown: false, stars: 4, count: 0, askAfterDays: 10 },
  shippingLabel: 'Included',
};
