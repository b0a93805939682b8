import * as z from 'zod';
import { categoriesSchema, type categorySchema } from './category-schema.ts';
import { deliverySchema } from './delivery-schema.ts';
import { email, phone, text, whole, yesOrNo } from './fields.ts';
import { searchSchema } from './search-schema.ts';
import { taxSchema } from './tax-schema.ts';
import { themeSchema } from './theme-schema.ts';

/*
 * What a shop sets in `src/shop/*.ts`: the shape of each file, and what each value may be with the sentence that an owner reads when it
 * is not. The build checks it (`src/integrations/check-shop`); the rest of the source imports the types alone. Money is in paise unless a
 * name says rupees; rates are in basis points: 236 is 2.36 %. A setting that is added later is optional, and `src/settings` has its
 * default, so that no shop has to change its files.
 */

const prefix = z
  .string('give one to three capital letters or digits')
  .regex(/^[A-Z0-9]{1,3}$/u, 'give one to three capital letters or digits, such as KSV');

export const shopSchema = z.strictObject({
  /** The name that customers read on every page and mail. */
  name: text("the shop's name", 30),
  /** The address that customers write to. */
  supportEmail: email,
  /**
   * Begins numbers: `order` an order's reference ('KSV-1001-…', Razorpay's receipt), `invoice` and `creditNote` those of documents
   * ('KSV/2026-27/0001'). GST allows a document's number 16 characters, so each has at most three letters or digits. Orders and
   * documents that exist keep theirs.
   */
  prefixes: z.strictObject({ order: prefix, invoice: prefix, creditNote: prefix }),
  /** Platform fee of the subtotal; it includes the GST of a seller who collects it. */
  platformFeeBps: whole('the fee in hundredths of a percent (236 is 2.36 %)', 0, 1_000),
  /** 'Only N left' is shown below this stock. 5 when it is left out. */
  lowStockBelow: whole("the stock below which 'Only N left' is shown", 0, 100).optional(),
  /**
   * How many deploys of the live site a month may have, whoever causes them. Each costs 15 of Netlify's credits, and pages are built by
   * themselves only within this number. 60 when it is left out: 900 of the 3,000 credits of the plan Pro.
   */
  deploysPerMonth: whole('how many deploys a month', 1, 10_000).optional(),
  /** When the shop begins to sell: customers read it while there are no live keys of Razorpay. 'soon' when it is left out. */
  opensOn: z.iso.date('give a day as YYYY-MM-DD').optional(),
  /**
   * The fixed stars of the product page: `shown: false` takes them away, and so does the first true review that is published.
   * `askAfterDays` collects true ones: so many days after the delivery one mail asks the customer. Without it the shop collects none.
   */
  reviews: z.strictObject({
    shown: yesOrNo,
    stars: whole('the stars', 1, 5),
    count: whole('how many reviews', 0, 1_000_000),
    askAfterDays: whole('days after the delivery', 1, 60).optional(),
  }),
  /** What the cart says of shipping: 'Free', or other words. The shop adds nothing to an order for it, so no amount. */
  shippingLabel: text("words for shipping, such as 'Free'", 20).regex(
    /^\P{N}*$/u,
    "the shop adds no shipping to an order: put its cost into the prices, and write words here, such as 'Free'",
  ),
});
export type ShopSettings = z.infer<typeof shopSchema>;

export const sellerSchema = z.strictObject({
  legalName: text("the seller's name"),
  /** Stands beside the name in the title of home. */
  tagline: text('a few words beside the name', 80),
  /** One sentence for search engines and feeds. */
  description: text('a sentence about the shop'),
  contact: z.strictObject({
    /** One or two, as the contact page shows them; the first is `supportEmail`. */
    emails: z
      .tuple([email], email, 'give one or two e-mail addresses')
      .refine(({ length }) => length <= 2, 'give one or two e-mail addresses'),
    phone,
    whatsapp: z
      .string('give a WhatsApp number')
      .regex(/^\d{11,15}$/u, 'give country code and number, digits only: 914840000000'),
    /** Where the shop is, in a few words. */
    address: text('where the shop is', 60),
    hours: z.array(text('business hours')).min(1, 'give at least one line'),
  }),
  founder: z.strictObject({ name: text('a name'), role: text('a role') }),
  /** The time within which the shop answers a message. */
  answersWithin: text("a time, such as '24 hours'", 40),
  mails: z.strictObject({
    /**
     * How many mails a day people can cause who have not bought: codes of sign-up and login, and forms. 12 at least, half of them at
     * once. Customers who have bought can cause half as many more; the rest of what your mail provider sends in a day is for orders.
     * So half of that day: 150 with a free plan's 300.
     */
    fromStrangersPerDay: whole('how many mails a day', 12, 100_000),
    /**
     * One mail about a cart that was left: so many hours after an order ended unpaid, to a confirmed address and while all of it is in
     * stock. Without it the shop sends none.
     */
    leftCartAfterHours: whole('hours after the order ended', 1, 20).optional(),
  }),
});
export type SellerSettings = z.infer<typeof sellerSchema>;

/** The facts that the law asks a seller to print (Consumer Protection (E-Commerce) Rules 2020, DPDP Act 2023). */
export const legalSchema = z.strictObject({
  /** 'sole proprietorship', 'partnership', 'private limited company' … */
  form: text("the legal form, such as 'sole proprietorship'"),
  proprietor: text('who owns the shop'),
  address: z.array(text('a line of the address')).min(2, 'give at least two lines'),
  grievanceOfficer: z.strictObject({
    name: text('a name'),
    designation: text('a designation'),
    email,
    phone,
    acknowledgesWithin: text("a time: the law allows '48 hours'", 40),
    settlesWithin: text("a time: the law allows 'one month'", 40),
  }),
  /** Seat of the courts named in the terms. */
  courts: text('the seat of the courts'),
  /** The day the policy texts last changed. */
  policiesUpdated: z.iso.date('give a day as YYYY-MM-DD'),
});
export type LegalSettings = z.infer<typeof legalSchema>;

// These types stay here, because the files of existing shops import them from here.
export type DeliverySettings = z.infer<typeof deliverySchema>;

export type CategorySettings = z.infer<typeof categorySchema>;
export type WornOn = CategorySettings['wornOn'];

/** Parts of sentences in mails to customers; the mail puts a name or an address behind them. */
const mailTextsSchema = z.strictObject({
  /** The words before the customer's name. */
  greeting: text('a greeting'),
  /** The words before the customer's name, when an order is paid. */
  thanks: text('words of thanks'),
  /** The sentence after 'Order #1001 was delivered.' */
  delivered: text('a sentence'),
  /** What a subscriber hears of, in the middle of a sentence. */
  newsletter: text('what your news are about'),
  /** The sentence before the shop's address, at the end. */
  closing: text('a sentence before your address'),
});
export type MailTexts = z.infer<typeof mailTextsSchema>;

/** Everything that `src/shop/*.ts` exports. Strict: a misspelt setting is an error. */
export const shopFolderSchema = z.strictObject({
  shop: shopSchema,
  seller: sellerSchema,
  legal: legalSchema,
  delivery: deliverySchema,
  tax: taxSchema,
  categories: categoriesSchema,
  search: searchSchema,
  theme: themeSchema,
  mails: mailTextsSchema,
});
export type ShopFolder = z.infer<typeof shopFolderSchema>;
