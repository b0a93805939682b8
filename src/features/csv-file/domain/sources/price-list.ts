import { paiseFromText } from '../../../../domain/admin/typed-rupees.ts';
import { bareHeading, type TableFile, type TableRow } from '../../../../domain/admin/table-file.ts';
import { catalogueColumns, type CatalogueColumn } from '../catalogue-csv.ts';
import { nearestWord } from '../nearest-word.ts';
import { fromVariants, groupRows, type SourceProduct } from './source.ts';

/* A list with headings of its own, or the shop's own file: the admin says what each column is. */

/** What a column of such a list can be: a column of the shop's own file, or what says that several rows are one product. */
export const listFields = [
  ...catalogueColumns.map(({ label }) => label),
  'One product (rows with the same text)',
  'One size',
] as const;
/** The field of each heading, one of `listFields`; '' for a column that is not read. */
export type Mapping = Readonly<Record<string, string>>;

const [sameProduct, oneSize] = [listFields.at(-2) ?? '', listFields.at(-1) ?? ''];

/** What people call the columns, in small letters without spaces; the first that fits. */
const known: readonly (readonly [RegExp, string])[] = [
  [/^(?:url)?handle$|^itemgroupid$|^(?:parent|style|design)(?:no|number|code|sku)?$/u, sameProduct],
  [/^option1?values?$|^variants?$/u, oneSize],
  [/^(?:product|item|design)?(?:name|title)$|^(?:product|item)$/u, 'Name'],
  [/categor|^(?:product)?type$|^collection$/u, 'Category'],
  [/^(?:selling|sale|offer|discount(?:ed)?|special|our|final)(?:price|rate)?$/u, 'Offer price'],
  [/^mrp|price|^rate$|^amount$|^cost$/u, 'Price'],
  [/^(?:stock|qty|quantity|units|pcs|pieces|inventory|available|count).*$/u, 'Stock'],
  [/^(?:product)?(?:details?|descriptions?|about|notes?)$/u, 'Description'],
  [/^(?:image|photo|picture|img)s?(?:url|link|src|1)*$/u, 'Picture 1'],
  [/^(?:image|photo|picture|img)(?:url|link|src)?2$/u, 'Picture 2'],
  [/^(?:image|photo|picture|img)(?:url|link|src)?3$/u, 'Picture 3'],
  [/^(?:net|gross)?(?:weight|wt)(?:in)?(?:g|gm|gms|grams?)?$/u, 'Weight in grams'],
  [/^material$|^basemetal$/u, 'Metal'],
  [/^hsn/u, 'HSN code'],
  [/^sizes?$/u, 'Sizes'],
];

/** The columns with their own names, by heading; two of the same name are an error of the file. */
const ownMapping = (headings: readonly string[]): Mapping =>
  Object.fromEntries(
    headings.map((heading) => [
      heading,
      catalogueColumns.find(({ label }) => bareHeading(label) === bareHeading(heading))?.label ??
        '',
    ]),
  );

/** What each column probably is. Each of the shop's columns is guessed once. */
export function guessedMapping(headings: readonly string[]): Mapping {
  const mapping: Record<string, string> = { ...ownMapping(headings) };
  const labels = catalogueColumns.map(({ label }) => label);
  for (const heading of headings) {
    if (mapping[heading] !== '') continue;
    const guess =
      known.find(([pattern]) => pattern.test(bareHeading(heading)))?.[1] ??
      nearestWord(heading, labels);
    mapping[heading] = guess === null || Object.values(mapping).includes(guess) ? '' : guess;
  }
  // Where several rows are a product, its size is what tells them apart. "Sizes" are those of one row.
  const guessed = Object.values(mapping);
  const size = headings.find((heading) => bareHeading(heading) === 'size');
  if (size !== undefined && guessed.includes(sameProduct) && !guessed.includes(oneSize))
    mapping[size] = oneSize;
  return mapping;
}

/** The lower of two prices is charged, whichever of the columns it stands in. */
function pricesOf(price: string, offer: string): { price: string; before: string } {
  if (offer.trim() === '') return { price, before: '' };
  const [full, less] = [paiseFromText(price), paiseFromText(offer)];
  return full !== null && less !== null && full < less && full > 0
    ? { price, before: offer }
    : { price: offer, before: price };
}

const columnOf = (label: string): CatalogueColumn | undefined =>
  catalogueColumns.find((column) => column.label === label);

/** A reader of a list by its mapping. In the shop's own file, whose headings are all known, a row without an ID adds a product each time. */
export const readListBy =
  (mapping: Mapping) =>
  ({ headings, rows }: TableFile): SourceProduct[] => {
    const isOwn = !Object.values(ownMapping(headings.filter((name) => name !== ''))).includes('');
    const headingOf = (field: string): string | undefined =>
      Object.keys(mapping).find((heading) => mapping[heading] === field);
    const text = (row: TableRow, field: string): string => row.cell(headingOf(field) ?? '');
    const seen = new Map<string, number>();
    const keyOf = (row: TableRow): string =>
      text(row, sameProduct).trim() || `row ${String(row.row)}`;
    return groupRows(rows, keyOf).map((group) => {
      const [first] = group;
      const columns = Object.values(mapping).flatMap((field) => columnOf(field) ?? []);
      const given = (label: string): string =>
        group.map((row) => text(row, label)).find((found) => found.trim() !== '') ?? '';
      const fields: SourceProduct['fields'] = {};
      const images: { address?: string; alt?: string }[] = [];
      for (const { field, label, place } of columns) {
        if (field === 'images') images[place] = { ...images[place], address: given(label) };
        else if (field === 'imageAlts') images[place] = { ...images[place], alt: given(label) };
        else fields[field] = given(label);
      }
      const name = fields.name ?? '';
      const nth = (seen.get(name.toLowerCase()) ?? 0) + 1;
      seen.set(name.toLowerCase(), nth);
      const product: SourceProduct = {
        row: first.row,
        key: null,
        name,
        fields,
        images,
        categories: fields.category === undefined ? [] : [fields.category],
        isUncounted: false,
        sizes: [],
        oldAddresses: [],
        leftOut: null,
        faults: [],
      };
      if (isOwn || (fields.id ?? '').trim() !== '') return product;
      const variants = fromVariants(
        group.map((row) => ({
          options: [text(row, oneSize)],
          ...pricesOf(text(row, 'Price'), text(row, 'Offer price')),
          stock: headingOf('Stock') === undefined ? null : text(row, 'Stock'),
        })),
      );
      // The stock of a product with sizes is theirs.
      if (variants.sizes.length > 0) delete fields.stock;
      return {
        ...product,
        ...variants,
        key: text(first, sameProduct).trim() || `${name} ${String(nth)}`,
        fields: { ...fields, ...variants.fields },
        images: group.length === 1 ? images : imagesOf(group, columns),
        isUncounted: variants.isUncounted && (fields.sizes ?? '').trim() === '',
      };
    });

    function imagesOf(
      group: readonly TableRow[],
      columns: readonly CatalogueColumn[],
    ): SourceProduct['images'] {
      const labels = columns.filter(({ field }) => field === 'images').map(({ label }) => label);
      const addresses = group.flatMap((row) => labels.map((label) => text(row, label).trim()));
      return [...new Set(addresses)].filter((one) => one !== '').map((address) => ({ address }));
    }
  };
