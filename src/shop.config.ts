/**
 * The facts of this shop, here and in `seller.config.ts`. The owner (or their engineer) edits these two files and nothing
 * else to change a name, an address, the fee or a limit. No secrets here: the whole file may reach a browser.
 */

/** Whom customers write to. It and the next one are here, because the cart's scripts need no more of the seller. */
export const supportEmail = 'care@kasavu.example';
/** The cost of shipping, as the cart shows it. */
export const shippingLabel = 'Free';

/** The fixed stars of the product page (spec section 2). `shown: false` takes them away. */
export const reviews = { shown: true, stars: 5, count: 42 } as const;

export const shop = {
  name: 'Kasavu',
  /** Used when no site address is configured, for canonical links of local builds. */
  defaultOrigin: 'http://localhost:8888',
  /** Begins every order number, which is Razorpay's receipt; `place_order` writes the same. */
  orderPrefix: 'KSV-',
  locale: 'en-IN',
  currency: 'INR',
  /** Platform fee including GST, in basis points of the subtotal: 2.36 % (spec section 9). */
  platformFeeBps: 236,
  limits: {
    lowStockBelow: 5,
    featured: 3,
    imagesPerProduct: 3,
    minAmountPaise: 100,
    maxAmountPaise: 100_000_000,
    cartLines: 50,
    /** The most of one product that an order may hold. */
    unitsPerOrder: 20,
  },
  toastMs: { added: 2_000, contact: 3_000, usual: 4_000 },
} as const;

/**
 * GST on what is sold. Prices include it. HSN codes and rates (in basis points) by category; a product whose own `hsn`
 * is given is taxed by that code. Confirm them with the accountant before the first invoice.
 * Apart from `shop`, because only the server needs them.
 */
export const tax = {
  home: { name: 'Kerala', gstCode: '32' },
  byCategory: {
    rings: { hsn: '7117', rateBps: 300 },
    necklaces: { hsn: '7117', rateBps: 300 },
    bracelets: { hsn: '7117', rateBps: 300 },
    earrings: { hsn: '7117', rateBps: 300 },
    watches: { hsn: '9102', rateBps: 1_800 },
  },
  /** Rates by the first four digits of a product's own HSN code: 7113-7117 jewellery, 9101-9102 watches. */
  byHsn: {
    '7113': 300,
    '7114': 300,
    '7116': 300,
    '7117': 300,
    '9101': 1_800,
    '9102': 1_800,
  },
  /** Their name in the accountant's HSN summary. */
  hsnNames: {
    '7113': 'Jewellery of precious metal',
    '7114': 'Goldsmiths’ and silversmiths’ wares',
    '7116': 'Articles of pearls and stones',
    '7117': 'Imitation jewellery',
    '9101': 'Watches in precious metal',
    '9102': 'Watches',
    '9985': 'Platform fee',
  },
  /** For a product that is no longer known. */
  otherwise: { hsn: '7117', rateBps: 300 },
  /** The platform fee: 2 % and GST of 18 % on it make the 2.36 % that customers pay. */
  fee: { label: 'Platform fee', hsn: '9985', rateBps: 1_800 },
} as const;

/**
 * The facts that the law asks a seller to print (Consumer Protection (E-Commerce) Rules 2020, DPDP Act 2023).
 * EXAMPLES: the owner replaces every line with the real one before the shop takes its first order.
 * Apart from `shop`, so that only the pages that print it carry it.
 */
export const legal = {
  form: 'sole proprietorship',
  proprietor: 'Example Owner (replace)',
  address: ['Building 00, Example Road', 'Example Locality, Kochi 682000', 'Kerala, India'],
  gstin: '32AAAAA0000A1Z5 (example)',
  grievanceOfficer: {
    name: 'Example Officer (replace)',
    designation: 'Grievance Officer',
    email: 'grievance@kasavu.example',
    phone: '+91 484 000 0001',
    acknowledgesWithin: '48 hours',
    settlesWithin: 'one month',
  },
  /** Seat of the courts named in the terms. */
  courts: 'Ernakulam, Kerala',
  /** The day the policy texts last changed, YYYY-MM-DD. */
  policiesUpdated: '2026-11-23',
} as const;
