import { bareHeading, type TableFile } from '#domain/admin/table-file.ts';
import type { Category } from '#domain/catalogue/category.ts';
import { categoryInName, categoryNamed } from './category-of-words.ts';
import { withoutEntities } from './plain-text.ts';
import { etsy } from './sources/etsy.ts';
import { guessedMapping, headingOf, type Mapping } from './sources/guess-columns.ts';
import { magento } from './sources/magento.ts';
import { readListBy } from './sources/price-list.ts';
import { productFeed } from './sources/product-feed.ts';
import { shopify } from './sources/shopify.ts';
import type { SourceProduct } from './sources/source.ts';
import { wix } from './sources/wix.ts';
import { wooCommerce } from './sources/woocommerce.ts';
import { splitByPrice } from './split-by-price.ts';

/*
 * A file of products, from this shop or another one: its rows become products of this shop's columns, which `planImport` compares with
 * the catalogue.
 */

/** The limits of one file. Shopify's own are 15 MB. A row may be a variant or an image: one product may have a hundred. */
export const productFileLimits = {
  bytes: 15 * 1024 * 1024,
  rows: 50_000,
  products: 5_000,
} as const;

const sources = [shopify, wooCommerce, etsy, magento, wix, productFeed];

/** The shop whose file this is, as the admin calls it; null for a list, and for the shop's own file. */
export const sourceOf = (table: TableFile): string | null =>
  sources.find(({ isSourceOf }) => isSourceOf(table))?.name ?? null;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

/** What each heading of a list probably means; of a file with a reader of its own, nothing needs a meaning. */
export function firstMapping(table: TableFile): Mapping {
  if (sourceOf(table) !== null) return {};
  const mapping = guessedMapping(table.headings.filter((name) => name !== ''));
  const id = headingOf(mapping, 'ID');
  const texts = id === undefined ? [] : table.rows.map((row) => row.cell(id).trim());
  const given = texts.filter((text) => text !== '');
  const hasOtherColumns = Object.values(mapping).includes('');
  // A number of another program is no ID of this shop. In the shop's own file it is a mistake, and a fault of its row.
  const isForeign = hasOtherColumns && given.length > 0 && !given.some((text) => uuid.test(text));
  return id !== undefined && isForeign
    ? Object.fromEntries([...Object.entries(mapping), [id, '']])
    : mapping;
}

/** How a file is read. */
export interface ReadingChoices {
  /** What the columns of a list are. */
  mapping: Mapping;
  /** Whether a product with several prices becomes a product for each. */
  isSplit: boolean;
}

/** The products of a file, with the prices of `now`. */
export function productsOf(
  table: TableFile,
  { mapping, isSplit }: ReadingChoices,
  now = new Date(),
): SourceProduct[] {
  const source = sources.find(({ isSourceOf }) => isSourceOf(table));
  const products = (source?.read ?? readListBy(mapping))(table, now).map((product) => ({
    ...product,
    categories: product.categories.map(withoutEntities),
  }));
  return isSplit ? products.flatMap(splitByPrice) : products;
}

/** A column with texts that no product has. */
export interface UnreadColumn {
  column: string;
  /** Cells with a text. */
  count: number;
  /** Two of its texts. */
  samples: readonly string[];
}

/** The columns that reading the file leaves out, in the order of the file. */
export function unreadColumns(table: TableFile, choices: ReadingChoices): UnreadColumn[] {
  const read = new Set<string>();
  const rows = table.rows.map((row) => ({
    ...row,
    cell: (...headings: readonly string[]): string => {
      for (const heading of headings) read.add(bareHeading(heading));
      return row.cell(...headings);
    },
  }));
  productsOf({ ...table, rows }, choices);
  return table.headings.flatMap((column) => {
    if (column === '' || read.has(bareHeading(column))) return [];
    const texts = table.rows.map((row) => row.cell(column).trim()).filter((text) => text !== '');
    return texts.length === 0
      ? []
      : [{ column, count: texts.length, samples: [...new Set(texts)].slice(0, 2) }];
  });
}

/** What the admin answers about a file. */
export interface Choices {
  /** The category of the shop for each name in the file, or null to leave its products out. */
  categories: ReadonlyMap<string, Category | null>;
  /** Units of a product, or of each of its sizes, that the file does not count; '' before the answer. */
  uncountedUnits: string;
  /** The size in one sentence, by category, of products that are worn by size and say none. */
  sizes: ReadonlyMap<Category, string>;
  /** Rupees for one unit of each currency, as typed; nought leaves its products out. */
  rates: ReadonlyMap<string, string>;
  /** Where images lie that the file names without an address; '' leaves them out, null before the answer. */
  imagesFrom: string | null;
}

/** Before the admin has answered. */
export const nothingChosen: Choices = {
  categories: new Map(),
  uncountedUnits: '',
  sizes: new Map(),
  rates: new Map(),
  imagesFrom: null,
};

/** The category of a product: by a name that the shop knows, else by what the admin chose. Undefined while that is open. */
export function categoryOf(product: SourceProduct, choices: Choices): Category | null | undefined {
  return knownCategory(product) ?? choices.categories.get(unknownCategory(product).name);
}

/** The category by what the file says; of a product without any by its name, when that is a category's and nothing else. */
function knownCategory({ categories: names, name }: SourceProduct): Category | null {
  if (names.length === 0) return categoryNamed(name);
  return names.map(categoryNamed).find((category) => category !== null) ?? null;
}

/** What to ask about a product whose category the shop lacks, or that is only guessed by its name. */
function unknownCategory({
  categories: names,
  name,
}: SourceProduct): Pick<UnknownCategory, 'name' | 'guess'> {
  const [first] = names;
  if (first !== undefined) return { name: first, guess: null };
  const guessed = categoryInName(name);
  return guessed === null
    ? { name: '', guess: null }
    : { name: `“${guessed.words}” in the name`, guess: guessed.category };
}

/** A category that the shop lacks, with the number of its products and what it may be here. '' is no category at all. */
export interface UnknownCategory {
  name: string;
  count: number;
  guess: Category | null;
}

/** The categories that the shop lacks and the products in each, the largest first. */
export function unknownCategories(products: readonly SourceProduct[]): UnknownCategory[] {
  const found = new Map<string, UnknownCategory>();
  for (const product of products) {
    // A wrong category in the shop's own file is a fault of its row.
    const { key, leftOut } = product;
    if (key === null || leftOut !== null || knownCategory(product) !== null) continue;
    const { name, guess } = unknownCategory(product);
    found.set(name, { name, guess, count: (found.get(name)?.count ?? 0) + 1 });
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}
