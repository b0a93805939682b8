/* Which column of a list is money, and which money it is: what customers pay, what a product cost before, or what the shop paid. */

/** What a column of amounts is by its heading. `cost` is never what customers pay; of `doubtful` nobody knows but the admin. */
export type PriceKind = 'full' | 'charged' | 'plain' | 'doubtful' | 'cost';

/** The words of a heading in small letters: 'Selling Price (₹)' and 'sellingPrice' are both 'selling', 'price'. */
export const wordsOfHeading = (heading: string): string[] =>
  heading
    .normalize('NFKC')
    // A dot below a letter of Devanagari is often left out.
    .replaceAll('\u093c', '')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replaceAll(/(?<=[a-z])(?=prices?\b)/giu, ' ')
    .toLowerCase()
    .replaceAll(/\bm\.?\s?r\.?\s?p\b/gu, 'mrp')
    .match(/[\p{L}\p{M}\p{N}]+|₹/gu) ?? [];

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const amountWords = wordSet(
  '₹ price prices rate rates amount mrp rrp msrp sp मूल्य कीमत दाम भाव दर एमआरपी വില விலை ధర ಬೆಲೆ',
);
/** What a shop pays, or an amount without its tax. */
const costWords = wordSet(
  'cost costs costing cp purchase purchased buying buy bought wholesale wholesaler landed landing supplier vendor dealer distributor trade reseller ' +
    'factory making labour labor margin profit excl exclusive excluding excluded exc ex without before pretax less net basic taxable क्रय खरीद लागत थोक',
);
/** Those of them that are an amount without another word: a vendor is none. */
const costAmounts = wordSet('cost costs costing cp लागत');
const fullWords = wordSet(
  'mrp rrp msrp regular list original actual retail compare compared at old was max maximum full market printed label tag अधिकतम एमआरपी',
);
const chargedWords = wordSet(
  'sp selling sell sale offer offered discount discounted special our final customer website web online store shop current विक्रय बिक्री',
);
/** Words that do not change which amount it is. */
const fillers = wordSet(
  'in per each piece pc pcs unit item product the of rs re inr rupee rupees usd eur gbp aed रुपये रु का की',
);
const taxes = wordSet('gst tax taxes vat igst');
const including = wordSet('incl including inclusive included inc with all');

const isOnly = (words: readonly string[], set: ReadonlySet<string>): boolean =>
  words.every((word) => set.has(word));

/** What a heading says about money; null when it speaks of none. "Cost" alone speaks of it, "GST" alone does not. */
export function priceKindOf(heading: string): PriceKind | null {
  const words = wordsOfHeading(heading);
  const isAmount = words.some((word) => amountWords.has(word));
  if (words.some((word) => costWords.has(word)))
    return isAmount || words.some((word) => costAmounts.has(word)) ? 'cost' : null;
  if (!isAmount) return null;
  const isWithTax = words.some((word) => including.has(word));
  const telling = words.filter(
    (word) => !fillers.has(word) && !(isWithTax && (taxes.has(word) || including.has(word))),
  );
  const others = telling.filter((word) => !amountWords.has(word));
  if (others.length === 0 && telling.every((word) => !fullWords.has(word) && word !== 'sp'))
    return 'plain';
  if (isOnly(others, fullWords) && !telling.includes('sp')) return 'full';
  if (isOnly(others, chargedWords) && !telling.some((word) => fullWords.has(word)))
    return 'charged';
  return 'doubtful';
}

/** The columns of the price and the offer; undefined where there is none, or where two could be it. */
export interface PriceColumns {
  price: string | undefined;
  offer: string | undefined;
  /** Columns that could be the same one, so that the admin is asked; empty when there is one for each. */
  several: readonly string[];
}

/** Which columns are the price and the offer, whatever their places: MRP is the full price, and the selling price is what is charged. */
export function priceColumns(headings: readonly string[]): PriceColumns {
  const of = (kind: PriceKind): string[] =>
    headings.filter((heading) => priceKindOf(heading) === kind);
  const [full, charged, plain] = [of('full'), of('charged'), of('plain')];
  const isClear =
    full.length < 2 &&
    charged.length < 2 &&
    plain.length < 2 &&
    full.length + charged.length + plain.length < 3;
  if (!isClear)
    return { price: undefined, offer: undefined, several: [...full, ...charged, ...plain] };
  // Nothing else says what customers pay.
  const [price, offer] = [...full, ...plain, ...charged];
  if (price === undefined) return { price, offer, several: of('doubtful') };
  return { price, offer, several: [] };
}
