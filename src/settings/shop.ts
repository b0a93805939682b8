import { shop as own } from '#shop/shop.ts';

/**
 * The shop's name, numbers and limits. Part of every page's scripts, so it imports nothing more; `seller.ts`, `delivery.ts` and
 * `tax.ts` are apart for that reason.
 */
export const shop = {
  name: own.name,
  /** Begins every order's reference, which is Razorpay's receipt. SQL writes it (`shop_settings`). */
  orderPrefix: `${own.prefixes.order}-`,
  prefixes: own.prefixes,
  platformFeeBps: own.platformFeeBps,
  limits: {
    lowStockBelow: own.lowStockBelow ?? 5,
    featured: 3,
    imagesPerProduct: 3,
    minAmountPaise: 100,
    maxAmountPaise: 100_000_000,
    cartLines: 50,
    /** The most of one product that an order may hold. */
    unitsPerOrder: 20,
  },
  toastMs: { added: 2_000, contact: 3_000, usual: 4_000 },
  locale: 'en-IN',
  currency: 'INR',
  /** Used when no site address is configured, for canonical links of local builds. */
  defaultOrigin: 'http://localhost:8888',
} as const;

export const { shippingLabel, supportEmail } = own;
