import { askedAttributes } from '#domain/catalogue/attributes.ts';
import { categoryLabel, type Category } from '#domain/catalogue/category.ts';
import { csvText } from '#domain/csv.ts';
import {
  formOfProduct,
  productLabels,
  type ProductField,
  type ProductForm,
} from '#domain/admin/products/product-form.ts';
import type { AdminProduct, ExpectedRevision } from '#domain/admin/products/product-input.ts';
import { sizesFromText, sizesText } from './sizes-text.ts';

/*
 * The catalogue as a CSV file: one row a product, one column a field of its form, so that the form's own rules check it.
 * Beside them the product's id, empty for a new one, and the revision that the row was written from.
 */

/** A field of the form that one column fills; the three images and their descriptions have a column each. */
type TextField = Exclude<ProductField, 'hidden' | 'sizes' | 'images' | 'imageAlts'>;
export interface CatalogueColumn {
  /** The column's heading. */
  label: string;
  field: ProductField | 'id' | 'revision';
  /** Which image, from 0. */
  place: number;
}

const column = (field: CatalogueColumn['field'], label: string, place = 0): CatalogueColumn => ({
  field,
  label,
  place,
});
const ofForm = (...fields: readonly TextField[]): CatalogueColumn[] =>
  fields.map((field) => column(field, productLabels[field]));

export const catalogueColumns: readonly CatalogueColumn[] = [
  column('id', 'ID'),
  ...ofForm('name', 'category', 'price', 'offerPrice', 'stock'),
  column('sizes', productLabels.sizes),
  column('hidden', productLabels.hidden),
  ...ofForm('description', ...askedAttributes),
  ...[0, 1, 2].flatMap((place) => [
    column('images', `Picture ${String(place + 1)}`, place),
    column('imageAlts', `Picture ${String(place + 1)} description`, place),
  ]),
  column('revision', 'Revision'),
];

/** An export of more comes in several files. */
export const exportedRows = 1_000;

/** The form's value in a column. */
function cellOf(form: ProductForm, { field, place }: CatalogueColumn): string {
  if (field === 'hidden') return form.hidden ? 'no' : 'yes';
  if (field === 'sizes') return sizesText(form.sizes);
  if (field === 'images' || field === 'imageAlts') return form[field][place] ?? '';
  if (field === 'category') return categoryLabel(form.category);
  return field === 'id' || field === 'revision' ? '' : form[field];
}

function revisionText({ stock, sizes, updatedAt }: ExpectedRevision): string {
  return `stock ${String(stock)}${sizes.length === 0 ? '' : ` (${sizesText(sizes)})`} at ${updatedAt}`;
}

/** The revision of a row; null when it was not left as the export wrote it. */
export function revisionFromText(text: string): ExpectedRevision | null {
  const [, stock, list = '', updatedAt] =
    /^stock (\d{1,6})(?: \((.+)\))? at (\d{4}-\d\d-\d\dT\S+)$/su.exec(text.trim()) ?? [];
  const sizes = sizesFromText(list);
  if (stock === undefined || updatedAt === undefined || sizes === null) return null;
  return {
    stock: Number(stock),
    updatedAt,
    sizes: sizes.map((one) => ({ size: one.size, stock: Number(one.stock) })),
  };
}

const header = catalogueColumns.map(({ label }) => label);

/** Products as rows of a file, the header first. `readCatalogueFile` and `planImport` find no difference in them. */
export function catalogueRows(products: readonly AdminProduct[]): string[][] {
  return [
    header,
    ...products.map((product) => {
      const form = formOfProduct(product);
      const own = { id: product.id, revision: revisionText(product) };
      return catalogueColumns.map((col) =>
        col.field === 'id' || col.field === 'revision' ? own[col.field] : cellOf(form, col),
      );
    }),
  ];
}

/** An empty file to fill in: the header and one row that shows what is meant. */
export function catalogueTemplate(): string {
  const example: Partial<Record<string, string>> = {
    Name: 'Palakka ring',
    Category: 'Rings',
    Price: '₹1,499',
    'Offer price': '1299',
    Stock: '5',
    'In the shop': 'no',
    Description: 'A ring with a green enamel leaf.',
    Metal: 'Brass',
    Plating: '22 carat gold',
    'Weight in grams': '4.2',
    'HSN code': '7117',
    'Picture 1': 'palakka-ring.jpg',
    'Picture 1 description': 'The ring on a hand',
  };
  return csvText([header, header.map((label) => example[label] ?? '')]);
}

/** One product of a file, as cells of the shop's own columns. */
export interface FileRow {
  /** Its first row in the spreadsheet. */
  row: number;
  cells: ReadonlyMap<CatalogueColumn, string>;
  /** What identifies it in another shop's file; null in the shop's own. */
  key: string | null;
  /** Its category, when a new product is worn by size and the file says none: the admin does. */
  unsized: Category | null;
  /** Its paths in the shop that it comes from. */
  oldAddresses: readonly string[];
  /** What could not be read of it: a column's heading and a sentence. */
  faults: readonly (readonly [string, string])[];
}
