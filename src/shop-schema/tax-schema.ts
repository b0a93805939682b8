import * as z from 'zod';
import { text, yesOrNo } from './fields.ts';
import { hsnExists, hsnForm } from './hsn.ts';

/* GST, in `src/shop/tax.ts`. Rates are in basis points: 300 is 3 %. */

const hsn = z
  .string('give an HSN code')
  .regex(hsnForm, 'give an HSN code of 4, 6 or 8 digits')
  .refine(
    hsnExists,
    'there is no such HSN code: jewellery is 7101 to 7118, watches are 9101 to 9114',
  );
/**
 * The rates of goods since 22 September 2025, CGST and SGST together: schedules I to VII of CBIC's notification 9/2025 – Central Tax (Rate),
 * and 0 for exempt ones (10/2025).
 */
const rates = [0, 25, 150, 300, 500, 1_800, 2_800, 4_000] as const;
const rateBps = z
  .int('give a rate in hundredths of a percent, a whole number')
  .refine(
    (rate) => rates.some((known) => known === rate),
    `GST has no such rate: give one in hundredths of a percent (300 is 3 %), of ${rates.join(', ')}`,
  );
/** An HSN code and its GST rate in basis points: 300 is 3 %. */
const rate = z.strictObject({ hsn, rateBps });

export /**
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
const registration = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('regular'), gstin: text('your GSTIN') }),
    z.strictObject({ kind: z.literal('composition'), gstin: text('your GSTIN') }),
    z.strictObject({ kind: z.literal('unregistered'), sendsToOtherStates: yesOrNo }),
  ],
  "give a kind: 'regular', 'composition' or 'unregistered'",
);
export type Registration = z.infer<typeof registration>;

export const taxSchema = z.strictObject({
  /** The state the shop sells from: its name, and the two digits that begin its GSTINs. */
  home: z.strictObject({
    name: text('the state that you send from'),
    gstCode: z
      .string('give the two digits of your state, as they begin its GSTINs')
      .regex(/^\d{2}$/u, 'give the two digits of your state, as they begin its GSTINs'),
  }),
  registration,
  /** The rate of each category; a product with an `hsn` of its own is taxed by that code. */
  byCategory: z.record(z.string(), rate),
  /** Rates by the first 4, 6 or 8 digits of a product's own HSN code; the longest that fits counts. */
  byHsn: z.record(hsn, rateBps),
  /** Names in table 12 of GSTR-1, by the first 4, 6 or 8 digits. */
  hsnNames: z.record(hsn, text('a name')),
  /** The rate of a product that is no longer known. */
  otherwise: rate,
  /** The platform fee is a service with a code of its own. */
  fee: z.strictObject({ label: text('a name'), hsn, rateBps }),
});
export type TaxSettings = z.infer<typeof taxSchema>;
