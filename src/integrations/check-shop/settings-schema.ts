import * as z from 'zod';
import { states } from '../../domain/checkout/postal-code.ts';

/*
 * What each setting of `src/shop/*.ts` may be, with the sentence that an owner reads when it is not. TypeScript knows the shapes; this
 * knows the values. A fact that several settings tell together is compared in `check-shop.ts`.
 */

const text = (what: string, max = 200) =>
  z
    .string(`give ${what}`)
    .trim()
    .min(1, `give ${what}`)
    .max(max, `at most ${String(max)} letters`);
const email = z.email('give an e-mail address');
const phone = z
  .string('give a telephone number')
  .regex(/^\+?[\d ]{8,20}$/u, 'give a telephone number, such as +91 484 000 0000');
const whole = (what: string, min: number, max: number) =>
  z
    .int(`give ${what}, a whole number`)
    .min(min, `give ${what}: ${String(min)} or more`)
    .max(max, `give ${what}: ${String(max)} at most`);
const days = z
  .string('give days')
  .regex(/^\d+(?:-\d+)? (?:business|working) days?$/u, "give days, such as '5-7 business days'");
const prefix = z
  .string('give one to three capital letters or digits')
  .regex(/^[A-Z0-9]{1,3}$/u, 'give one to three capital letters or digits, such as KSV');
const hsn = z
  .string('give an HSN code')
  .regex(/^\d{4}(?:\d{2}){0,2}$/u, 'give an HSN code of 4, 6 or 8 digits');
const rateBps = whole('a rate in hundredths of a percent (300 is 3 %)', 0, 4_000);
const rate = z.strictObject({ hsn, rateBps });

const colour = z
  .string('give a colour')
  .regex(/^#[\da-f]{6}$/u, "give a colour as '#' and six small letters or digits, such as #7a5b1e");
const font = z.strictObject({
  family: text('the name of the font'),
  file: z
    .string('give the address of a font file')
    .regex(/^\/fonts\/[\w-]+\.woff2$/u, 'give the address of a .woff2 file in public/fonts'),
  fallback: text('the fonts to use without it, such as Georgia, serif'),
});

/** The settings of `src/shop`, one key for each export. Strict: a misspelt setting is told, not ignored. */
export const settingsSchema = z.strictObject({
  shop: z.strictObject({
    name: text("the shop's name", 30),
    supportEmail: email,
    prefixes: z.strictObject({ order: prefix, invoice: prefix, creditNote: prefix }),
    platformFeeBps: whole('the fee in hundredths of a percent (236 is 2.36 %)', 0, 1_000),
    lowStockBelow: whole("the stock below which 'Only N left' is shown", 0, 100).optional(),
    reviews: z.strictObject({
      shown: z.boolean('give true or false'),
      stars: whole('the stars', 1, 5),
      count: whole('how many reviews', 0, 1_000_000),
    }),
    shippingLabel: text("the cost of shipping, such as 'Free'", 20),
  }),
  seller: z.strictObject({
    legalName: text("the seller's name"),
    tagline: text('a few words beside the name', 80),
    description: text('a sentence about the shop'),
    contact: z.strictObject({
      emails: z.tuple([email, email], 'give two e-mail addresses'),
      phone,
      whatsapp: z
        .string('give a WhatsApp number')
        .regex(/^\d{11,15}$/u, 'give country code and number, digits only: 914840000000'),
      address: text('where the shop is', 60),
      hours: z.array(text('business hours')).min(1, 'give at least one line'),
    }),
    founder: z.strictObject({ name: text('a name'), role: text('a role') }),
    answersWithin: text("a time, such as '24 hours'", 40),
    mails: z.strictObject({ fromStrangersPerDay: whole('how many mails a day', 12, 100_000) }),
  }),
  legal: z.strictObject({
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
    courts: text('the seat of the courts'),
    policiesUpdated: z.iso.date('give a day as YYYY-MM-DD'),
  }),
  delivery: z.strictObject({
    shipping: z.strictObject({
      freeWithin: z.enum(
        states.map(({ name }) => name),
        'give the name of a state, as India Post has it',
      ),
      processing: days,
      standard: days,
      express: days,
      expressCharge: text('what express costs'),
      damageHours: whole('hours', 1, 720),
      claimFilesMegabytes: whole('megabytes', 10, 1_000_000),
      lostAfterDays: whole('days', 1, 90),
    }),
    refunds: z.strictObject({
      begunWithin: text("a time, such as 'two business days'", 40),
      arriveWithin: text("a time, such as '5-7 business days'", 40),
      returnsPlatformFee: z.boolean('give true or false'),
      confirmAbove: whole('rupees', 1, 100_000_000).nullable(),
    }),
    parcel: z.strictObject({
      grams: whole('grams', 1, 30_000),
      lengthCm: whole('centimetres', 1, 120),
      breadthCm: whole('centimetres', 1, 120),
      heightCm: whole('centimetres', 1, 120),
    }),
  }),
  tax: z.strictObject({
    home: z.strictObject({
      name: text('the state that you send from'),
      gstCode: z.enum(
        states.map(({ gstCode }) => gstCode),
        'give the two digits of your state, as they begin its GSTINs',
      ),
    }),
    gstin: z.string().nullable(),
    byCategory: z.record(z.string(), rate),
    byHsn: z.record(hsn, rateBps),
    hsnNames: z.record(hsn, text('a name')),
    otherwise: rate,
    fee: z.strictObject({ label: text('a name'), hsn, rateBps }),
  }),
  categories: z
    .array(
      z.strictObject({
        slug: z
          .string('give a name for addresses')
          .regex(
            /^(?!all$|page$)[a-z0-9]+(?:-[a-z0-9]+)*$/u,
            "give small letters, joined by '-': toe-rings ('all' and 'page' are taken)",
          )
          .max(30, 'at most 30 letters'),
        label: text('what customers read', 24),
        one: text('what one of them is called', 24),
        wornOn: z.enum(
          ['finger', 'toe', 'neck', 'wrist', 'watch', 'ear', 'ankle'],
          "give 'finger', 'toe', 'neck', 'wrist', 'watch', 'ear' or 'ankle'",
        ),
      }),
    )
    .min(1, 'give at least one category')
    .max(10, 'give at most ten categories'),
  theme: z.strictObject({
    colors: z.strictObject({
      paper: colour,
      tile: colour,
      mist: colour,
      line: colour,
      edge: colour,
      ink: z.strictObject({ 900: colour, 700: colour, 500: colour }),
      accent: z.strictObject({ 700: colour, 500: colour, 300: colour }),
      brand: z.strictObject({ 800: colour, 700: colour, 600: colour, 50: colour }),
    }),
    fonts: z.strictObject({ display: font, text: font }),
    corner: z.string().regex(/^\d+(?:\.\d+)?(?:px|rem)$/u, "give a length, such as '2px'"),
  }),
});

/** Everything that `src/shop/*.ts` exports. */
export type ShopFolder = z.infer<typeof settingsSchema>;
