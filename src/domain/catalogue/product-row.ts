import { shop } from '#settings/shop.ts';
import * as v from '#domain/validate.ts';
import type { Attributes } from './attributes.ts';
import { stockFields } from './current-stock.ts';
import { isOffered } from './category.ts';
import type { Product } from './product.ts';

/**
 * The keys and the type of each value are guarded by the table's constraint. Fields that this version does not know are stored and
 * never shown, so that a page of an older build still works.
 */
const parseAttributes: v.Validator<Attributes> = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new v.ValidationError('Not a list of facts');
  return value;
};

const rowFields = {
  ...stockFields,
  name: v.nonEmptyString,
  description: v.withDefault(v.string, ''),
  category: v.nonEmptyString,
  images: v.withDefault(v.array(v.string), []),
  image_alts: v.withDefault(v.array(v.string), []),
  attributes: v.withDefault(parseAttributes, {}),
  created_at: v.withDefault(v.string, ''),
  updated_at: v.withDefault(v.string, ''),
};
const parseRow = v.object(rowFields);

/** Columns to select for `productFromRow`. */
export const productColumns = Object.keys(rowFields).join(',');

/** Parses one row of `products`. Throws ValidationError, which names the column, when the row is unreadable. */
export function productFromRow(row: unknown): Product {
  const parsed = parseRow(row);
  return {
    id: parsed.id,
    name: parsed.name,
    description: parsed.description,
    category: parsed.category,
    price: parsed.price,
    offerPrice: parsed.offerPrice,
    stock: parsed.stock,
    sizes: parsed.sizes,
    images: parsed.images.filter((image) => image !== '').slice(0, shop.limits.imagesPerProduct),
    imageAlts: parsed.image_alts,
    attributes: parsed.attributes,
    createdAt: parsed.created_at,
    updatedAt: parsed.updated_at,
  };
}

/** Parses a row as `productFromRow` does. Null for a product that the shop does not offer to customers. */
export function offeredFromRow(row: unknown): Product | null {
  const product = productFromRow(row);
  return isOffered(product) ? product : null;
}
