/** What a shop sets in `src/shop/`. Money is in paise unless a name says rupees; rates are in basis points: 236 is 2.36 %. */

export interface ShopSettings {
  /** As customers read it, on every page and mail. */
  name: string;
  /** Whom customers write to. */
  supportEmail: string;
  /**
   * Begins numbers: `order` that of an order ('KSV-1001-…', Razorpay's receipt), `invoice` and `creditNote` those of documents
   * ('KSV/2026-27/0001'). GST allows a document's number 16 characters, so each has at most three letters or digits. Orders and
   * documents that exist keep theirs.
   */
  prefixes: { order: string; invoice: string; creditNote: string };
  /** Platform fee of the subtotal; it includes the GST of a seller who collects it. */
  platformFeeBps: number;
  /** 'Only N left' is shown below this stock. 5 when it is left out. */
  lowStockBelow?: number;
  /** The fixed stars of the product page. `shown: false` takes them away. */
  reviews: { shown: boolean; stars: number; count: number };
  /** The cost of shipping, as the cart shows it: 'Free', or a price. */
  shippingLabel: string;
}

export interface SellerSettings {
  legalName: string;
  /** Stands beside the name in the title of home. */
  tagline: string;
  /** One sentence for search engines and feeds. */
  description: string;
  contact: {
    /** Two, as the contact page shows them; the first is `supportEmail`. */
    emails: readonly [string, string];
    phone: string;
    /** Country code and number, digits only. */
    whatsapp: string;
    /** Where the shop is, in a few words. */
    address: string;
    hours: readonly string[];
  };
  founder: { name: string; role: string };
  /** Within what a message is answered. */
  answersWithin: string;
  mails: {
    /**
     * How many mails a day strangers can cause by forms and holds, 12 at least; the rest of what your mail provider sends in a
     * day is for orders. A fifth of a free plan's 300. Two thirds go to addresses that they enter, one third to you.
     */
    fromStrangersPerDay: number;
  };
}

/**
 * The facts that the law asks a seller to print (Consumer Protection (E-Commerce) Rules 2020, DPDP Act 2023). The grievance officer's
 * limits are those of the rules.
 */
export interface LegalSettings {
  /** 'sole proprietorship', 'partnership', 'private limited company' … */
  form: string;
  proprietor: string;
  address: readonly string[];
  grievanceOfficer: {
    name: string;
    designation: string;
    email: string;
    phone: string;
    acknowledgesWithin: string;
    settlesWithin: string;
  };
  /** Seat of the courts named in the terms. */
  courts: string;
  /** The day the policy texts last changed, YYYY-MM-DD. */
  policiesUpdated: string;
}

export interface DeliverySettings {
  shipping: {
    /** The state in which standard shipping is free. */
    freeWithin: string;
    processing: string;
    standard: string;
    express: string;
    /** The cost of express, in the table of the shipping policy. */
    expressCharge: string;
    /** Hours after delivery in which damage is to be reported. */
    damageHours: number;
    /** Storage for photos and videos of damage, in MB, all orders together. Supabase's free plan has 1,000. */
    claimFilesMegabytes: number;
    /** Days after the last day of delivery, after which a parcel counts as lost. */
    lostAfterDays: number;
  };
  refunds: {
    /** Within what a claim is answered, and an agreed refund begun. */
    begunWithin: string;
    /** How long a bank takes afterwards. */
    arriveWithin: string;
    /**
     * Whether a customer who cancels a paid order gets the platform fee back, too. Razorpay keeps its fee of a refunded payment,
     * so `true` costs the shop about 2 % of the order. What the shop itself cancels is always paid back whole.
     */
    returnsPlatformFee: boolean;
    /**
     * Rupees. The admin types the password again before the refunds since the last time come to more than this; null for never.
     * Cancelling a paid order and answering a damage claim with a refund count, too.
     */
    confirmAbove: number | null;
  };
  /**
   * Size and weight of every parcel in the file for couriers. An order does not know its weight: give the box with its filling and
   * a typical product.
   */
  parcel: { grams: number; lengthCm: number; breadthCm: number; heightCm: number };
}

/** An HSN code and its GST rate in basis points: 300 is 3 %. */
export interface TaxRate {
  hsn: string;
  rateBps: number;
}

/**
 * The seller's registration for GST. Ask your accountant which one is yours; what each means:
 *
 * - `regular`: you have a GSTIN, collect GST and issue tax invoices.
 * - `composition`: you have a GSTIN under the composition scheme (CGST Act, section 10) and pay tax on your turnover yourself. You
 *   never send to another state, collect no GST, and issue bills of supply that say so.
 * - `unregistered`: your turnover is below the threshold (CGST Act, section 22), so you have no GSTIN. You collect no GST, and your bills
 *   have no tax. Who sends goods to another state must register whatever the turnover (section 24), so `sendsToOtherStates` is
 *   `false`, and checkout takes PIN codes of your own state only. There is an exemption for makers of handicraft goods: those of the
 *   products listed in notification 3/2018 – Integrated Tax (for casual taxable persons 56/2018 – Central Tax), below the threshold,
 *   with a PAN and an e-way bill for each parcel. Write `true` only when your accountant confirms that it is yours.
 */
export type Registration =
  | { kind: 'regular'; gstin: string }
  | { kind: 'composition'; gstin: string }
  | { kind: 'unregistered'; sendsToOtherStates: boolean };

export interface TaxSettings {
  /** The state the shop sells from: its name, and the two digits that begin its GSTINs. */
  home: { name: string; gstCode: string };
  registration: Registration;
  /** By category; a product whose own `hsn` is given is taxed by that code. */
  byCategory: Readonly<Record<string, TaxRate>>;
  /** Rates by the first four digits of a product's own HSN code. */
  byHsn: Readonly<Record<string, number>>;
  /** Names in the accountant's HSN summary. */
  hsnNames: Readonly<Record<string, string>>;
  /** For a product that is no longer known. */
  otherwise: TaxRate;
  /** The platform fee is a service with a code of its own. */
  fee: TaxRate & { label: string };
}

/** The part of the body on which a product's measures are drawn to scale. */
export type WornOn = 'finger' | 'toe' | 'neck' | 'wrist' | 'watch' | 'ear' | 'ankle';

export interface CategorySettings {
  /** In addresses (/shop/toe-rings) and tables: small letters, joined by '-'. Products keep it, so it never changes. */
  slug: string;
  /** 'Toe rings', as shown to customers. */
  label: string;
  /** One of them: 'toe ring'. */
  one: string;
  wornOn: WornOn;
}
