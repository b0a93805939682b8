import { groupDigits, type Paise } from '#domain/money.ts';
import type { Attributes } from '#domain/catalogue/attributes.ts';

/** The filters of the listing besides search and category. */
export const facetNames = ['offers', 'price', 'size', 'metal', 'stone', 'origin', 'stock'] as const;
export type FacetName = (typeof facetNames)[number];

export const facetLabels: Readonly<Record<FacetName, string>> = {
  offers: 'Offers',
  size: 'Size',
  metal: 'Metal',
  stone: 'Stone',
  origin: 'Country of origin',
  price: 'Price',
  stock: 'Availability',
};

/** The one value of the facet 'stock'. */
export const inStockValue = 'In stock';

/** The one value of the facet 'offers', as in /shop?offers=yes. */
export const onOffer = 'yes';

type Material = readonly [label: string, pattern: RegExp];

/*
 * The admin writes materials in words of their own ("Antique gold-plated brass"). A label says no more than the words
 * do: what is plated is not called gold, what was created is not called a ruby.
 */
const metals: readonly Material[] = [
  [
    'Gold',
    /\b(?:\d{1,2} ?k(?:t|arat)?|solid|yellow|white) gold\b(?![- ]?(?:plat|tone|fill))|^gold$/u,
  ],
  ['Gold-plated', /(rose[- ])?gold[- ]?(?:plat|tone|fill|vermeil|polish)/u],
  ['Rose gold-plated', /rose[- ]gold[- ]?(?:plat|tone|fill)/u],
  ['Silver', /(german )?silver(?![- ]?(?:plat|tone))/u],
  ['Silver-plated', /silver[- ]?(?:plat|tone)/u],
  ['German silver', /german silver/u],
  ['Rhodium-plated', /rhodium/u],
  ['Platinum', /platinum(?![- ]?plat)/u],
  ['Panchaloha', /panchaloha/u],
  ['Brass', /brass/u],
  ['Copper', /copper/u],
  ['Stainless steel', /steel/u],
  ['Titanium', /titanium/u],
];

const natural = (stone: string): RegExp =>
  new RegExp(
    String.raw`((?:synthetic|created|imitation|grown|simulated|faux) )?\b${stone}s?\b`,
    'u',
  );

const stones: readonly Material[] = [
  ['Cubic zirconia', /cubic zirconia|\bcz\b|american diamond/u],
  ['Shell pearl', /shell pearl/u],
  ['Mother-of-pearl', /mother[- ]of[- ]pearl/u],
  ['Pearl', /(shell |of[- ]|imitation |faux )?pearl/u],
  ['Kemp', /kemp/u],
  ['Palakka', /palakka/u],
  ['Glass', /(kemp )?\bglass\b|nagapadam/u],
  ['Created gems', /synthetic|created|lab[- ]grown/u],
  ['Kundan', /kundan|polki/u],
  ...[
    'Diamond',
    'Ruby',
    'Emerald',
    'Sapphire',
    'Onyx',
    'Garnet',
    'Amethyst',
    'Turquoise',
    'Coral',
    'Moonstone',
    'Opal',
    'Topaz',
    'Peridot',
    'Agate',
    'Jade',
    'Quartz',
  ].map((label): Material => [
    label,
    label === 'Diamond' ? /(american |grown |imitation )?\bdiamond/u : natural(label.toLowerCase()),
  ]),
];

const nothing = /^(?:|none|no|nil|n\/?a|-+|without(?: stones?)?|no stones?)$/u;
const maxLabelLength = 30;

/** Whether a pattern is in a text, but for where its group is: a word in front that makes it another material. */
const fits = (pattern: RegExp, text: string): boolean =>
  [...text.matchAll(new RegExp(pattern, 'gu'))].some(([, exception]) => exception === undefined);

/** The labels that fit a text; the text itself, when it is short and no label fits; none for one that says 'none'. */
function labelsOf(text: string | undefined, materials: readonly Material[]): string[] {
  const words = (text ?? '').trim().replaceAll(/\s+/gu, ' ');
  const folded = words.toLowerCase();
  if (nothing.test(folded)) return [];
  const labels = materials.filter(([, pattern]) => fits(pattern, folded)).map(([label]) => label);
  if (labels.length > 0 || words.length > maxLabelLength) return labels;
  return [folded.charAt(0).toUpperCase() + folded.slice(1)];
}

/** Metals of a product, as customers choose by them: 'Gold-plated brass' is 'Gold-plated' and 'Brass'. */
export const metalsOf = ({ metal }: Attributes): string[] => labelsOf(metal, metals);

/** Stones of a product, as customers choose by them; none for 'None'. */
export const stonesOf = ({ stone }: Attributes): string[] => labelsOf(stone, stones);

const homeCountry = 'India';

/** The country of a product's origin: 'India' for every text that names it, else the owner's own words; '' without any. */
export function countryOf({ origin = '' }: Attributes): string {
  const words = origin
    .trim()
    .replaceAll(/\s+/gu, ' ')
    .replace(/^made in /iu, '');
  return /\bindia\b/iu.test(words) ? homeCountry : words.slice(0, maxLabelLength);
}

/** Whether a product comes from another country. Whoever sells one online lists them by country (Legal Metrology, rule 6(10A)). */
export const isImported = (attributes: Attributes): boolean =>
  !['', homeCountry].includes(countryOf(attributes));

/** Where one price range ends and the next begins, in rupees. */
const priceEdges = [0, 1_000, 2_000, 3_000, 5_000, 10_000, 25_000, 50_000, 100_000] as const;

const rupees = (amount: number): string => `₹${groupDigits(amount)}`;

/** Price ranges, cheapest first. `value` stands in addresses ('1000-2000'; the last has no end), in rupees. */
export const priceRanges: readonly { value: string; label: string }[] = priceEdges.map(
  (from, index) => {
    const to = priceEdges[index + 1];
    if (to === undefined) return { value: `${String(from)}-`, label: `${rupees(from)} and above` };
    return {
      value: `${String(from)}-${String(to)}`,
      label: from === 0 ? `Under ${rupees(to)}` : `${rupees(from)} to ${rupees(to)}`,
    };
  },
);

/** What customers name as their budget, besides the ranges: it holds the whole of the cheaper ones. */
const budget = { value: '0-1500', label: 'Under ₹1,500', below: 150_000 } as const;

/** The values of the price facet, cheapest first. */
export const priceValues: readonly { value: string; label: string }[] = [
  ...priceRanges.slice(0, 1),
  budget,
  ...priceRanges.slice(1),
];

/** The values of the price facet that what is charged has. */
export const priceValuesOf = (charged: Paise): string[] => [
  priceRanges[priceRangeOf(charged)]?.value ?? '',
  ...(charged < budget.below ? [budget.value] : []),
];

/** The text for a value of a facet. */
export function facetValueLabel(name: FacetName, value: string): string {
  if (name === 'offers') return 'On offer';
  if (name === 'size') return `Size ${value}`;
  return priceValues.find((range) => name === 'price' && range.value === value)?.label ?? value;
}

/** Index in `priceRanges` of what is charged. A range begins with its first rupee and ends before the next one's. */
export function priceRangeOf(charged: Paise): number {
  return priceEdges.findLastIndex((from) => charged >= from * 100);
}
