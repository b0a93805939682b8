import { cashOnDelivery } from '#settings/cash-on-delivery.ts';

/** One optional fact about a product. */
interface Attribute {
  /** In the admin's form and as a column of the catalogue file. */
  label: string;
  /** On the product page, where it is not `label`; null when customers do not see it. */
  term?: string | null;
  /** The value is a number in this unit; without one it is a text. */
  unit?: string;
  /** The text is one of these; the first is the same as none. */
  choices?: readonly [string, ...string[]];
  hint?: string;
}

/**
 * The optional facts about a product, in the order in which the product page and the admin's form show them. The form, its
 * drafts, the catalogue file, the limits and the product page are made from this table. The constraint
 * `products_known_attributes` names the same keys.
 */
const attributeTable = {
  metal: { label: 'Metal' },
  purity: { label: 'Purity', hint: '925 silver, 22K, 18K' },
  hallmark: {
    label: 'Hallmark number (HUID)',
    term: 'Hallmark (HUID)',
    hint: 'Six letters and digits, on hallmarked gold or silver',
  },
  plating: { label: 'Plating', hint: '22K gold' },
  plating_microns: {
    label: 'Plating thickness in microns',
    term: 'Plating thickness',
    unit: 'micron',
  },
  plating_guarantee: { label: 'Plating guarantee', hint: '1 year' },
  nickel_free: { label: 'Nickel-free', hint: 'Yes, or leave it empty' },
  stone: { label: 'Stone' },
  height_mm: { label: 'Height in mm', term: 'Height', unit: 'mm', hint: 'As worn' },
  width_mm: {
    label: 'Width in mm',
    term: 'Width',
    unit: 'mm',
    hint: 'Both measures draw it to scale',
  },
  weight_g: { label: 'Weight in grams', term: 'Weight', unit: 'g' },
  // Stands where sizes are chosen, and not among the facts.
  size: {
    label: 'Size',
    term: null,
    hint: 'Such as “One size: 14”, “Adjustable, fits 12 to 18” or “Made to your size: tell us in the notes”',
  },
  certificate: { label: 'Certificate', hint: 'Who issued it, and its number' },
  origin: { label: 'Origin', hint: 'The country, such as India' },
  care: { label: 'Care' },
  hsn: { label: 'HSN code', term: null, hint: 'For invoices: 4, 6 or 8 digits' },
  cash_on_delivery: {
    label: 'Cash on delivery',
    term: null,
    choices: ['Yes', 'No'],
    hint: 'No: it is sold paid online only',
  },
} as const satisfies Readonly<Record<string, Attribute>>;

type Table = typeof attributeTable;
export type AttributeKey = keyof Table;

/** The facts that the admin entered about a product. */
export type Attributes = {
  [Key in AttributeKey]?: Table[Key] extends { unit: string } ? number : string;
};

export const attributeKeys = Object.keys(attributeTable) as AttributeKey[];

/** Those that the admin is asked for: a shop without cash on delivery is not asked about it. */
export const askedAttributes = attributeKeys.filter(
  (key) => key !== 'cash_on_delivery' || cashOnDelivery !== null,
);

/** One row of the table, whatever its key. */
export const attributeOf = (key: AttributeKey): Attribute => attributeTable[key];

/** A value for each attribute. */
export const forEachAttribute = <Value>(
  value: (key: AttributeKey, attribute: Attribute) => Value,
): Record<AttributeKey, Value> =>
  Object.fromEntries(attributeKeys.map((key) => [key, value(key, attributeOf(key))])) as Record<
    AttributeKey,
    Value
  >;

/** The facts that customers see, as [term, text] in the order of the table. Leaves out what is not given, and the stone 'None'. */
export function factsOf(attributes: Attributes): [term: string, text: string][] {
  return attributeKeys.flatMap((key): [string, string][] => {
    const { label, term = label, unit } = attributeOf(key);
    const value = attributes[key];
    if (term === null || value === undefined || value === '') return [];
    if (key === 'stone' && value === 'None') return [];
    return [[term, unit === undefined ? String(value) : `${String(value)} ${unit}`]];
  });
}
