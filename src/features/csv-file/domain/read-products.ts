import type { TableFile } from '../../../domain/admin/table-file.ts';
import type { Category } from '../../../domain/catalogue/category.ts';
import { catalogueColumns, type CatalogueColumn, type FileRow } from './catalogue-csv.ts';
import { categoryInName, categoryNamed } from './category-of-words.ts';
import { shop } from '../../../settings/shop.ts';
import { lacksSize } from '../../../domain/catalogue/worn-by-size.ts';
import { oldPathOf } from './old-path.ts';
import { sizesText } from './sizes-text.ts';
import { etsy } from './sources/etsy.ts';
import { guessedMapping, readListBy, type Mapping } from './sources/price-list.ts';
import { productFeed } from './sources/product-feed.ts';
import { shopify } from './sources/shopify.ts';
import type { SourceProduct } from './sources/source.ts';
import { wooCommerce } from './sources/woocommerce.ts';

/*
 * A file of products, from this shop or another one: its rows become products of this shop's columns, which `planImport` compares with
 * the catalogue.
 */

/** The limits of one file. Shopify's own are 15 MB. */
export const productFileLimits = { bytes: 15 * 1024 * 1024, rows: 5_000 } as const;

const sources = [shopify, wooCommerce, etsy, productFeed];

/** The shop whose file this is, as the admin calls it; null for a list, and for the shop's own file. */
export const sourceOf = (table: TableFile): string | null =>
  sources.find(({ isSourceOf }) => isSourceOf(table))?.name ?? null;

/** What each heading of a list probably means; of a file with a reader of its own, nothing needs a meaning. */
export const firstMapping = (table: TableFile): Mapping =>
  sourceOf(table) === null ? guessedMapping(table.headings.filter((name) => name !== '')) : {};

/** The products of a file, with the prices of `now`. `mapping` says what the columns of a list are. */
export const productsOf = (table: TableFile, mapping: Mapping, now = new Date()): SourceProduct[] =>
  (sources.find(({ isSourceOf }) => isSourceOf(table))?.read ?? readListBy(mapping))(table, now);

/** What the admin answers about a file. */
export interface Choices {
  /** The category of the shop for each name in the file, or null to leave its products out. */
  categories: Readonly<Record<string, Category | null>>;
  /** Units of a product, or of each of its sizes, that the file does not count. */
  uncountedUnits: string;
  /** The size in one sentence, by category, of products that are worn by size and say none. */
  sizes: Readonly<Partial<Record<Category, string>>>;
}

/** Before the admin has answered. */
export const nothingChosen: Choices = { categories: {}, uncountedUnits: '', sizes: {} };

/** The category of a product: by a name that the shop knows, else by what the admin chose. Undefined while that is open. */
function categoryOf(product: SourceProduct, choices: Choices): Category | null | undefined {
  return knownCategory(product) ?? choices.categories[unknownCategory(product)];
}

/** The category by what the file says; a product without any is sorted in by its name. */
function knownCategory({ categories: names, name }: SourceProduct): Category | null {
  if (names.length === 0) return categoryInName(name);
  return names.map(categoryNamed).find((category) => category !== null) ?? null;
}

/** What to ask about a product whose category the shop lacks. */
const unknownCategory = ({ categories: names }: SourceProduct): string => names[0] ?? '';

/** The categories that the shop lacks and the products in each, the largest first; '' is no category at all. */
export function unknownCategories(
  products: readonly SourceProduct[],
): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const product of products) {
    // A wrong category in the shop's own file is a fault of its row.
    const { key, leftOut } = product;
    if (key === null || leftOut !== null || knownCategory(product) !== null) continue;
    const name = unknownCategory(product);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
}

/** A product that is not brought over, and why. */
export interface LeftOut {
  row: number;
  name: string;
  why: string;
}

function column(field: CatalogueColumn['field'], place = 0): CatalogueColumn {
  const found = catalogueColumns.find((one) => one.field === field && one.place === place);
  if (!found) throw new Error(`The file has no column of ${field}`);
  return found;
}

/** Products as rows of the shop's own file. */
export interface ImportRows {
  rows: FileRow[];
  leftOut: LeftOut[];
  /** Products that wait for the choice of their category. */
  open: number;
  /** Images beyond those that a product of this shop has. */
  furtherImages: number;
}

const saysNoSize = ({ sizes, fields }: SourceProduct, category: Category): boolean =>
  (fields.sizes ?? '').trim() === '' && lacksSize({ category, sizes, size: fields.size ?? '' });

/** The products as rows of the shop's own file, with what is left out of them. */
export function toFileRows(products: readonly SourceProduct[], choices: Choices): ImportRows {
  const leftOut: LeftOut[] = [];
  let open = 0;
  let furtherImages = 0;
  const rows = products.flatMap((product): FileRow[] => {
    const { row, name, key, fields, images, sizes, isUncounted, faults, oldAddresses } = product;
    const category = key === null ? undefined : categoryOf(product, choices);
    if (product.leftOut !== null || category === null) {
      const why = product.leftOut ?? 'You left its category out';
      leftOut.push({ row, name, why });
      return [];
    }
    if (key !== null && category === undefined) {
      open += 1;
      return [];
    }
    const cells = new Map<CatalogueColumn, string>();
    for (const [field, text] of Object.entries(fields))
      cells.set(column(field as CatalogueColumn['field']), text);
    if (category !== undefined) cells.set(column('category'), category);
    const worn = category ?? categoryNamed(fields.category ?? '');
    // A product that is in the shop keeps what it says.
    const unsized =
      worn !== null && (fields.id ?? '').trim() === '' && saysNoSize(product, worn) ? worn : null;
    if (unsized !== null) cells.set(column('size'), choices.sizes[unsized]?.trim() ?? '');
    if (isUncounted && sizes.length === 0) cells.set(column('stock'), choices.uncountedUnits);
    const list = sizes.map(({ size, stock }) => ({
      size: size.replaceAll(';', ','),
      stock: stock === '' ? choices.uncountedUnits.trim() || '0' : stock,
    }));
    if (list.length > 0) cells.set(column('sizes'), sizesText(list));
    const taken = images.slice(0, shop.limits.imagesPerProduct);
    furtherImages += images.length - taken.length;
    for (const [place, { address, alt }] of taken.entries()) {
      if (address !== undefined) cells.set(column('images', place), address.trim());
      if (alt !== undefined)
        cells.set(column('imageAlts', place), key === null ? alt : alt.slice(0, 200));
    }
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
  return { rows, leftOut, open, furtherImages };
}
