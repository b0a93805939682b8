import {
  attributeKeys,
  attributeOf,
  forEachAttribute,
  type AttributeKey,
} from '#domain/catalogue/attributes.ts';
import { lacksSize } from '#domain/catalogue/worn-by-size.ts';
import { paiseFromText, rupeeText, withoutGrouping } from '#domain/admin/typed-rupees.ts';
import { productInputSchema, type ProductInput } from './product-input.ts';

/** The admin product form: every field as typed. Images are entries as stored, '' for an empty slot. */
export interface ProductForm extends Record<AttributeKey, string> {
  name: string;
  price: string;
  offerPrice: string;
  category: string;
  description: string;
  stock: string;
  /** Empty for a product without sizes; else `stock` is not read. */
  sizes: { size: string; stock: string }[];
  /** Hidden from customers. */
  hidden: boolean;
  images: string[];
  imageAlts: string[];
}
export type ProductField = keyof ProductForm;
export type ProductErrors = Partial<Record<ProductField, string>>;

export const emptyProductForm: ProductForm = {
  name: '',
  price: '',
  offerPrice: '',
  category: '',
  description: '',
  stock: '',
  sizes: [],
  hidden: false,
  images: [],
  imageAlts: [],
  ...forEachAttribute(() => ''),
};

/** Each field as the form names it, in the order of the form. @public */
export const productLabels: Readonly<Record<ProductField, string>> = {
  name: 'Name',
  price: 'Price',
  offerPrice: 'Offer price',
  category: 'Category',
  stock: 'Stock',
  sizes: 'Sizes',
  hidden: 'In the shop',
  description: 'Description',
  images: 'Pictures',
  imageAlts: 'Picture descriptions',
  ...forEachAttribute((_, { label }) => label),
};
export const productFields = Object.keys(productLabels) as ProductField[];

/** '1 product', '3 products'. */
export const productCount = (count: number): string =>
  count === 1 ? '1 product' : `${String(count)} products`;

/** A whole number as typed, '1,200' and '3.0000' too; NaN otherwise. Nothing typed is 0 (spec section 5). */
export function stockFromText(text: string): number {
  const bare = withoutGrouping(text.trim());
  if (bare === '') return 0;
  return /^[-+]?\d+(?:\.0*)?$/u.test(bare) ? Number(bare) : Number.NaN;
}

/** '7.5' or '.5'; NaN for anything else. */
const decimalFromText = (text: string): number =>
  /^\d*\.?\d+$/u.test(text.trim()) ? Number(text) : Number.NaN;

type Described = Omit<ProductInput, 'attributes'> & {
  attributes: Readonly<Record<string, string | number | undefined>>;
};

/** Units in all sizes; NaN when one is no number. */
export const sumOfSizes = (sizes: ProductForm['sizes']): number =>
  sizes.reduce((sum, { stock }) => sum + stockFromText(stock), 0);

/** The stock that was typed before the sizes were, and that no size has yet; 0 when there is none. */
export function unplacedStock(
  { stock, sizes }: Pick<ProductForm, 'stock' | 'sizes'>,
  base: { sizes: readonly unknown[] } | null,
): number {
  // The stock of a product that has sizes is their sum, and nobody typed it.
  if (sizes.length === 0 || (base?.sizes.length ?? 0) > 0 || sumOfSizes(sizes) !== 0) return 0;
  const typed = stockFromText(stock);
  return Number.isInteger(typed) && typed > 0 ? typed : 0;
}

/** A product, stored or about to be, as the form shows it. */
export function formOfProduct(product: Described): ProductForm {
  return {
    name: product.name,
    price: rupeeText(product.price),
    offerPrice: product.offerPrice === null ? '' : rupeeText(product.offerPrice),
    category: product.category,
    description: product.description,
    stock: String(product.stock),
    sizes: (product.sizes ?? []).map((one) => ({ size: one.size, stock: String(one.stock) })),
    hidden: product.hidden,
    images: [...product.images],
    imageAlts: product.images.map((_, index) => product.imageAlts[index] ?? ''),
    ...forEachAttribute((key) => String(product.attributes[key] ?? '')),
  };
}

/** A new product's form, copied from another product. The stock is empty and the name is marked as a copy. */
export function copyOfProduct(product: Described): ProductForm {
  const suffix = ' (copy)';
  const form = formOfProduct(product);
  const sizes = form.sizes.map(({ size }) => ({ size, stock: '' }));
  return {
    ...form,
    name: `${product.name.slice(0, 200 - suffix.length)}${suffix}`,
    stock: '',
    sizes,
  };
}

/** The form's values in the shape of the schema, before validation. */
function rawInput(form: ProductForm): unknown {
  const kept = form.images.flatMap((entry, index) =>
    entry.trim() === '' ? [] : [{ entry: entry.trim(), alt: form.imageAlts[index] ?? '' }],
  );
  const attributes = attributeKeys
    .filter((key) => form[key].trim() !== '')
    .map((key): [string, string | number] => [
      key,
      attributeOf(key).unit === undefined ? form[key] : decimalFromText(form[key]),
    ]);
  return {
    name: form.name,
    description: form.description,
    category: form.category,
    price: paiseFromText(form.price),
    offerPrice:
      form.offerPrice.trim() === '' ? null : (paiseFromText(form.offerPrice) ?? Number.NaN),
    stock: form.sizes.length > 0 ? sumOfSizes(form.sizes) : stockFromText(form.stock),
    sizes: form.sizes.map(({ size, stock }) => ({ size, stock: stockFromText(stock) })),
    hidden: form.hidden,
    images: kept.map(({ entry }) => entry),
    imageAlts: kept.map(({ alt }) => alt),
    attributes: Object.fromEntries(attributes),
  };
}

/** The form's field that a message of the schema is about. */
const fieldOf = ([first, second]: readonly PropertyKey[]): ProductField =>
  (first === 'attributes' ? (second ?? 'metal') : first) as ProductField;

/** The product to save, or one message a field; `missing` when name, price or category is not given. */
export type ProductReading =
  { ok: true; product: ProductInput } | { ok: false; errors: ProductErrors; missing: boolean };

/** What the form of a product in the shop refuses besides: that customers would have to guess its size. */
export const sizeErrors = (form: ProductForm): ProductErrors =>
  lacksSize(form) && !form.hidden
    ? { size: 'Say which size it is: choose sizes, or write “One size: 14” or “Adjustable”' }
    : {};

/** Reads the form. Empty images are dropped, the descriptions of the others stay beside them. */
export function readProductForm(form: ProductForm): ProductReading {
  const parsed = productInputSchema.safeParse(rawInput(form));
  if (parsed.success) return { ok: true, product: parsed.data };
  const errors: ProductErrors = {};
  for (const issue of parsed.error.issues) errors[fieldOf(issue.path)] ??= issue.message;
  // The sum of sizes is not typed.
  if (form.sizes.length > 0) delete errors.stock;
  const price = paiseFromText(form.price);
  if (form.price.trim() === '') errors.price = 'Price is required';
  else if (price === null) errors.price = 'Price must be in rupees, with two decimals at most';
  const offer = paiseFromText(form.offerPrice);
  if (errors.offerPrice !== undefined && offer === null)
    errors.offerPrice = 'Offer price must be in rupees, with two decimals at most';
  else if (price !== null && offer !== null && offer >= price)
    errors.offerPrice = 'The offer must be below the price';
  const missing = [form.name, form.price, form.category].some((text) => text.trim() === '');
  return { ok: false, errors, missing };
}
