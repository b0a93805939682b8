import * as z from 'zod/mini';
import { tax } from '#settings/tax.ts';
import { stateOfPin, type State } from '#domain/checkout/postal-code.ts';
import type { Paise } from '#domain/money.ts';

/** The GST in an amount that includes it. Either cgst and sgst, which are the same, or igst. */
export interface TaxSplit {
  taxablePaise: Paise;
  cgstPaise: Paise;
  sgstPaise: Paise;
  igstPaise: Paise;
}

/**
 * Splits an amount that includes GST at `rateBps` (300 is 3 %). Taxable value and tax are the amount again, to the paisa. Within
 * the state half the tax is rounded once and counted twice, so that CGST and SGST are equal; IGST is one tax, rounded once.
 */
export function splitTax(grossPaise: Paise, rateBps: number, interstate: boolean): TaxSplit {
  // Away from zero at a half on both sides: a discount takes off what its goods put on.
  const taxIn = (parts: 1 | 2): Paise =>
    Math.sign(grossPaise) *
      Math.round((Math.abs(grossPaise) * rateBps) / parts / (10_000 + rateBps)) +
    0;
  if (interstate) {
    const igstPaise = taxIn(1);
    return { taxablePaise: grossPaise - igstPaise, cgstPaise: 0, sgstPaise: 0, igstPaise };
  }
  const half = taxIn(2);
  return {
    taxablePaise: grossPaise - 2 * half,
    cgstPaise: half,
    sgstPaise: half,
    igstPaise: 0,
  };
}

/**
 * The state that an order's goods are supplied in; null when the PIN code names none. Goods that the customer took along were
 * supplied where the shop is (IGST Act, section 10).
 */
export const placeOfSupply = ({
  handedOver,
  postalCode,
}: {
  handedOver: boolean;
  postalCode: string;
}): State | null => (handedOver ? tax.home : stateOfPin(postalCode));

/** The share of so many of `count` equal units in an amount for all of them, to the nearest paisa. */
export const partOf = (amount: Paise, units: number, count: number): Paise =>
  Math.round((amount * units) / count);

const taxFactSchema = z.object({
  category: z.optional(z.nullable(z.string())),
  hsn: z.optional(z.nullable(z.string())),
});
/** The facts that decide a product's tax, as far as they are known. */
type TaxFact = z.infer<typeof taxFactSchema>;

/** The facts that decide the tax of products by their id, as far as the catalogue knows them now. */
export const taxFactsSchema = z.record(z.string(), taxFactSchema);
export type TaxFacts = z.infer<typeof taxFactsSchema>;

const named = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** The entry of an HSN code in a table by codes of 4, 6 or 8 digits: that of the longest one it begins with. */
export const entryOfHsn = <T>(table: Readonly<Record<string, T>>, hsn: string): T | undefined =>
  [8, 6, 4]
    .map((digits) => named(table, hsn.slice(0, digits)))
    .find((entry) => entry !== undefined);

/**
 * HSN code and rate of a product: its own code if it has one, at that code's rate, or its category's when the code's is
 * not known.
 */
export function taxClass({ category, hsn }: TaxFact): { hsn: string; rateBps: number } {
  const usual =
    named<{ hsn: string; rateBps: number }>(tax.byCategory, category ?? '') ?? tax.otherwise;
  const own = (hsn ?? '').replaceAll(/\D/gu, '');
  if (own.length < 4) return { ...usual };
  return {
    hsn: own.slice(0, 8),
    rateBps: entryOfHsn<number>(tax.byHsn, own) ?? usual.rateBps,
  };
}
