import { bareHeading } from '#domain/admin/table-file.ts';
import { productLabels } from '#domain/admin/products/product-form.ts';
import { catalogueColumns } from '#features/csv-file/domain/catalogue-csv.ts';
import { nearestWord } from '#features/csv-file/domain/nearest-word.ts';
import { priceColumns, priceKindOf, wordsOfHeading } from './price-headings.ts';

/** What a column of a list can be: a column of the shop's own file, or what says that several rows are one product. */
export const listFields = [
  ...catalogueColumns.map(({ label }) => label),
  'One product (rows with the same text)',
  'One size',
] as const;
/** The field of each heading, one of `listFields`; '' for a column that is not read. */
export type Mapping = Readonly<Record<string, string>>;

export const [sameProduct, oneSize] = [listFields.at(-2) ?? '', listFields.at(-1) ?? ''];

/**
 * What people call the columns, as whole headings in small letters without spaces: "Country of Origin" is no count. Of all headings of a
 * file the one with the earliest pattern is the field, then the one that stands first.
 */
const known: readonly (readonly [field: string, ...patterns: readonly RegExp[]])[] = [
  [
    'Name',
    /^(?:product|item|design|article)?(?:name|title)s?$/u,
    /^(?:product|item|article|नाम|(?:उत्पाद|वस्तु)(?:का)?नाम|പേര്|பெயர்|పేరు|ಹೆಸರು)s?$/u,
    /^(?:particulars?|items?description|descriptionofgoods|goods|उत्पाद|वस्तु|सामान|माल)$/u,
    /^(?:design|(?:product|item)details?)$/u,
  ],
  [
    sameProduct,
    /^(?:url)?handle$|^itemgroupid$/u,
    /^(?:parent|style|design)(?:no|number|code|sku|id)?$/u,
  ],
  [oneSize, /^option1?values?$|^variants?$/u],
  [
    'Category',
    /^(?:product|item|main|sub)?categor(?:y|ies)(?:name)?$|^श्रेणी$|^വിഭാഗം$|^வகை$/u,
    /^(?:product|item)?(?:type|group)$|^collections?$|^stockgroup$|^(?:वर्ग|प्रकार|समूह)$/u,
  ],
  [
    'Stock',
    /^(?:closing|current|available|present)(?:stock|qty|quantity|balance)$|^(?:stock|qty|quantity|units)?(?:in|on)(?:hand|stock)$/u,
    /^(?:stock|qty|quantity|inventory)(?:available|qty|quantity|units|level|count)?$|^(?:मात्रा|स्टॉक|संख्या|എണ്ണം|அளவு|పరిమాణం|ಪ್ರಮಾಣ)$/u,
    /^(?:units|pcs|pieces|nos|count|available|noof(?:pcs|pieces|units))$/u,
  ],
  [
    'Description',
    /^(?:product|item|long|full)?descriptions?$|^विवरण$/u,
    /^(?:product|item)?details?$|^about$|^notes?$|^shortdescription$/u,
  ],
  ['Picture 1', /^(?:main|base|featured)?(?:image|photo|picture|img)s?(?:url|link|src|1)*$/u],
  ['Picture 2', /^(?:image|photo|picture|img)(?:url|link|src)?2$/u],
  ['Picture 3', /^(?:image|photo|picture|img)(?:url|link|src)?3$/u],
  [
    'Weight in grams',
    /^(?:net)?(?:weight|wt)(?:in)?(?:g|gm|gms|grams?)?$/u,
    /^gross(?:weight|wt)(?:in)?(?:g|gm|gms|grams?)?$|^वजन$/u,
  ],
  ['Metal', /^(?:metal|material)s?$|^basemetal$|^धातु$/u],
  ['HSN code', /^hsn(?:sac)?(?:code|no|number)?$/u],
  ['Origin', /^(?:countryof)?origin$|^countryofmanufacture$/u],
  ['Sizes', /^sizes?$/u],
];

/** The columns with the shop's own names, by heading. */
export const ownMapping = (headings: readonly string[]): Mapping =>
  Object.fromEntries(
    headings.map((heading) => [
      heading,
      catalogueColumns.find(({ label }) => bareHeading(label) === bareHeading(heading))?.label ??
        '',
    ]),
  );

const moneyFields = [productLabels.price, productLabels.offerPrice];

/** What each column probably is. Each of the shop's columns is guessed once. */
export function guessedMapping(headings: readonly string[]): Mapping {
  const mapping = new Map(Object.entries(ownMapping(headings)));
  const isGuessed = (field: string): boolean => [...mapping.values()].includes(field);
  const open = (): string[] => headings.filter((heading) => mapping.get(heading) === '');
  if (open().some((heading) => ['full', 'charged', 'plain'].includes(priceKindOf(heading) ?? ''))) {
    for (const [heading, field] of mapping)
      if (moneyFields.includes(field)) mapping.set(heading, '');
    const { price, offer } = priceColumns(headings);
    if (price !== undefined) mapping.set(price, productLabels.price);
    if (offer !== undefined) mapping.set(offer, productLabels.offerPrice);
  }
  // What speaks of money is nothing else.
  const others = (): string[] => open().filter((heading) => priceKindOf(heading) === null);
  for (const [field, ...patterns] of known) {
    if (isGuessed(field)) continue;
    for (const pattern of patterns) {
      const found = others().find((heading) => pattern.test(wordsOfHeading(heading).join('')));
      if (found === undefined) continue;
      mapping.set(found, field);
      break;
    }
  }
  const labels = catalogueColumns
    .map(({ label }) => label)
    .filter((label) => !moneyFields.includes(label));
  for (const heading of others()) {
    const meant = nearestWord(heading, labels);
    if (meant !== null && !isGuessed(meant)) mapping.set(heading, meant);
  }
  // Where several rows are a product, its size is what tells them apart. "Sizes" are those of one row.
  const size = headings.find((heading) => bareHeading(heading) === 'size');
  if (size !== undefined && isGuessed(sameProduct) && !isGuessed(oneSize))
    mapping.set(size, oneSize);
  return Object.fromEntries(mapping);
}

/** The heading of a field in a mapping. */
export const headingOf = (mapping: Mapping, field: string): string | undefined =>
  Object.entries(mapping).find(([, known]) => known === field)?.[0];

/** The question about the prices of a list that comes before anything of it is compared. */
export interface PriceQuestion {
  /** The columns that may be a price, the most likely ones first. */
  columns: readonly string[];
  /** Columns that could each be the price; empty when one is more likely. */
  several: readonly string[];
}

/**
 * The question about the prices of a list; null when its columns have the shop's own names, or speak of no money: then nothing is a
 * guess.
 */
export function priceQuestionOf(headings: readonly string[]): PriceQuestion | null {
  const rank = { full: 0, charged: 0, plain: 0, doubtful: 1, cost: 2 } as const;
  const own = ownMapping(headings);
  const kinds = headings.flatMap((heading) => {
    const kind = priceKindOf(heading);
    return kind === null
      ? []
      : [{ heading, kind, isOwn: moneyFields.includes(own[heading] ?? '') }];
  });
  const hasOwnPrice = kinds.some(({ heading }) => own[heading] === productLabels.price);
  const isAsked = kinds.some(
    ({ kind, isOwn }) =>
      !isOwn && (!hasOwnPrice || kind === 'full' || kind === 'charged' || kind === 'plain'),
  );
  if (!isAsked) return null;
  const columns = kinds.sort((a, b) => rank[a.kind] - rank[b.kind]).map(({ heading }) => heading);
  return { columns, several: priceColumns(headings).several };
}
