import type { Category } from '#domain/catalogue/category.ts';
import { lacksSize } from '#domain/catalogue/worn-by-size.ts';
import { shop } from '#settings/shop.ts';
import { catalogueColumns, type CatalogueColumn, type FileRow } from './catalogue-csv.ts';
import { categoryNamed } from './category-of-words.ts';
import { inRupees, rateFromText } from './foreign-money.ts';
import { oldPathOf } from './old-path.ts';
import { categoryOf, type Choices } from './read-products.ts';
import { sizesText } from './sizes-text.ts';
import type { SourceProduct } from './sources/source.ts';

/* Products of a file with the answers of the admin, as rows of the shop's own file. */

/** A product that is not brought over, and why. */
export interface LeftOut {
  row: number;
  name: string;
  why: string;
}

/** Texts of one column that are left out for one reason. */
export interface Unplaced {
  column: string;
  why: string;
  count: number;
}

/** Products as rows of the shop's own file. */
export interface ImportRows {
  rows: FileRow[];
  leftOut: LeftOut[];
  /** Products that wait for an answer: for their category, units, the rate of their currency, or where their images are. */
  open: number;
  /** Images beyond those that a product of this shop has. */
  furtherImages: number;
  /** Texts that the shop has no place for, by column and reason. */
  unplaced: Unplaced[];
}

function column(field: CatalogueColumn['field'], place = 0): CatalogueColumn {
  const found = catalogueColumns.find((one) => one.field === field && one.place === place);
  if (!found) throw new Error(`The file has no column of ${field}`);
  return found;
}

const saysNoSize = ({ sizes, fields }: SourceProduct, category: Category): boolean =>
  (fields.sizes ?? '').trim() === '' && lacksSize({ category, sizes, size: fields.size ?? '' });

/** An image that the file names by a path of the other shop: '/m/b/ring.jpg'. */
const isPath = (address: string | undefined): boolean => /^\/(?!\/)/u.test(address?.trim() ?? '');

/** Whether some of a product's images lie where the file does not say. */
export const namesImagesByPath = ({ key, leftOut, images }: SourceProduct): boolean =>
  key !== null && leftOut === null && images.some(({ address }) => isPath(address));

/** The address of an image; '' for one that is left out. */
function imageAddress(address: string, { imagesFrom }: Choices): string {
  const text = address.trim();
  if (text.startsWith('//')) return `https:${text}`;
  if (!isPath(text)) return text;
  return (imagesFrom ?? '') === '' ? '' : `${(imagesFrom ?? '').replace(/\/+$/u, '')}${text}`;
}

const rateOf = ({ currency }: SourceProduct, { rates }: Choices): number | null =>
  currency === null ? 1 : rateFromText(rates.get(currency) ?? '');

/** Whether a product waits for an answer of the admin. */
const isOpen = (
  product: SourceProduct,
  choices: Choices,
  category: Category | undefined,
): boolean =>
  (product.key !== null && category === undefined) ||
  (product.isUncounted && choices.uncountedUnits.trim() === '') ||
  rateOf(product, choices) === null ||
  (namesImagesByPath(product) && choices.imagesFrom === null);

/** Why a product is left out; null when it is not. */
function leftOutOf(
  product: SourceProduct,
  choices: Choices,
  category: Category | null | undefined,
): string | null {
  if (product.leftOut !== null) return product.leftOut;
  if (category === null) return 'You left its category out';
  return rateOf(product, choices) === 0
    ? `You left the products in ${product.currency ?? ''} out`
    : null;
}

/** The texts of a product's fields, with prices in rupees. */
function fieldsOf(product: SourceProduct, choices: Choices): SourceProduct['fields'] {
  const { fields, currency, key } = product;
  const rate = rateOf(product, choices);
  const converted = (text = ''): string =>
    text.trim() === '' || rate === null ? text : inRupees(text, rate);
  return {
    ...fields,
    ...(currency !== null && {
      price: converted(fields.price),
      offerPrice: converted(fields.offerPrice),
    }),
    // Other programs write 0 for a weight that nobody entered.
    ...(key !== null && /^[0.,\s]+$/u.test(fields.weight_g ?? '') && { weight_g: '' }),
  };
}

/** Puts the images that a product has here into its cells. Returns how many it has no place for, and how many nobody can fetch. */
function putImages(
  { images, key }: SourceProduct,
  choices: Choices,
  cells: Map<CatalogueColumn, string>,
): { further: number; pathless: number } {
  const found = images.map(({ address, alt }) => ({
    alt,
    address: address === undefined ? undefined : imageAddress(address, choices),
    isLost: isPath(address) && imageAddress(address ?? '', choices) === '',
  }));
  const kept = found.filter(({ isLost }) => !isLost);
  const taken = kept.slice(0, shop.limits.imagesPerProduct);
  for (const [place, { address, alt }] of taken.entries()) {
    if (address !== undefined) cells.set(column('images', place), address);
    if (alt !== undefined)
      cells.set(column('imageAlts', place), key === null ? alt : alt.slice(0, 200));
  }
  return { further: kept.length - taken.length, pathless: found.length - kept.length };
}

/** The products as rows of the shop's own file, with what is left out of them. */
export function toFileRows(products: readonly SourceProduct[], choices: Choices): ImportRows {
  const leftOut: LeftOut[] = [];
  const unplaced = new Map<string, Unplaced>();
  let open = 0;
  let furtherImages = 0;
  const leave = (name: string, why: string, count = 1) => {
    const key = `${name}\n${why}`;
    unplaced.set(key, { column: name, why, count: (unplaced.get(key)?.count ?? 0) + count });
  };
  const rows = products.flatMap((product): FileRow[] => {
    const { row, name, key, sizes, isUncounted, faults, oldAddresses } = product;
    const category = key === null ? undefined : categoryOf(product, choices);
    const why = leftOutOf(product, choices, category);
    if (why !== null || category === null) {
      leftOut.push({ row, name, why: why ?? '' });
      return [];
    }
    if (isOpen(product, choices, category)) {
      open += 1;
      return [];
    }
    const cells = new Map<CatalogueColumn, string>();
    const fields = fieldsOf(product, choices);
    for (const [field, text] of Object.entries(fields))
      cells.set(column(field as CatalogueColumn['field']), text);
    if (category !== undefined) cells.set(column('category'), category);
    const worn = category ?? categoryNamed(fields.category ?? '');
    // A product that is in the shop keeps what it says.
    const unsized =
      worn !== null && (fields.id ?? '').trim() === '' && saysNoSize(product, worn) ? worn : null;
    if (unsized !== null) cells.set(column('size'), choices.sizes.get(unsized)?.trim() ?? '');
    if (isUncounted && sizes.length === 0) cells.set(column('stock'), choices.uncountedUnits);
    const list = sizes.map(({ size, stock }) => ({
      size: size.replaceAll(';', ','),
      stock: stock === '' ? choices.uncountedUnits.trim() : stock,
    }));
    if (list.length > 0) cells.set(column('sizes'), sizesText(list));
    const { further, pathless } = putImages(product, choices, cells);
    furtherImages += further;
    if (pathless > 0) leave('Pictures', 'The file does not say where they are', pathless);
    for (const [heading, reason] of product.unplaced) leave(heading, reason);
    return [
      {
        row,
        cells,
        key,
        unsized,
        oldAddresses: [...new Set(oldAddresses.flatMap((path) => oldPathOf(path) ?? []))],
        faults: faults.map(([field, message]) => [column(field).label, message] as const),
      },
    ];
  });
  return { rows, leftOut, open, furtherImages, unplaced: [...unplaced.values()] };
}
