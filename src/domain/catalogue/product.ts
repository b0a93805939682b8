import { shop } from '../../shop.config.ts';
import { paiseFromRupees, type Paise } from '../money.ts';
import * as v from '../validate.ts';
import type { Attributes } from './attributes.ts';
import { parseSizes, type ProductSize } from './sizes.ts';

export const categories = ['rings', 'necklaces', 'bracelets', 'earrings', 'watches'] as const;
export type Category = (typeof categories)[number];

/** 'rings' → 'Rings', as shown to customers. */
export function categoryLabel(category: string): string {
  return category.charAt(0).toUpperCase() + category.slice(1);
}

/**
 * The keys and the type of each value are guarded by the table's constraint. What this version does not know is kept and
 * never shown, so that a page of an older build still works.
 */
const parseAttributes: v.Validator<Attributes> = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new v.ValidationError('Not a list of facts');
  return value;
};

const parseRupees: v.Validator<Paise> = (value) => {
  const paise =
    typeof value === 'number' || typeof value === 'string' ? paiseFromRupees(value) : null;
  if (paise !== null) return paise;
  throw new v.ValidationError('Not an amount in rupees');
};

const parseCategory: v.Validator<Category> = (value) => {
  const category = categories.find((known) => known === value);
  if (category !== undefined) return category;
  throw new v.ValidationError('Not a category');
};

const parseRow = v.object({
  id: v.string,
  name: v.nonEmptyString,
  description: v.withDefault(v.string, ''),
  category: parseCategory,
  price: parseRupees,
  offerPrice: v.withDefault(parseRupees, null),
  stock: v.nonNegativeInt,
  sizes: v.withDefault(parseSizes, []),
  images: v.withDefault(v.array(v.string), []),
  image_alts: v.withDefault(v.array(v.string), []),
  attributes: v.withDefault(parseAttributes, {}),
  created_at: v.withDefault(v.string, ''),
  updated_at: v.withDefault(v.string, ''),
});

/** A product in the catalogue. `price` and `offerPrice` in paise. */
export interface Product {
  id: string;
  name: string;
  description: string;
  category: Category;
  price: Paise;
  offerPrice: Paise | null;
  /** The sum over all sizes, when the product has sizes. */
  stock: number;
  /** Empty for a product without; such a one is ordered by its id alone. */
  sizes: ProductSize[];
  images: string[];
  imageAlts: string[];
  attributes: Attributes;
  createdAt: string;
  updatedAt: string;
}

/** Columns to select for `productFromRow`. */
export const productColumns =
  'id,name,description,category,price,offerPrice,stock,sizes,images,image_alts,attributes,created_at,updated_at';

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

/** The current price of one unit, in paise: the offer when there is one (spec section 4). */
export function chargedPrice(product: { price: Paise; offerPrice: Paise | null }): Paise {
  return product.offerPrice ?? product.price;
}

/** 'out' at 0, 'low' below 5 (spec section 9), else 'in'. */
export function stockLevel(stock: number): 'out' | 'low' | 'in' {
  if (stock <= 0) return 'out';
  return stock < shop.limits.lowStockBelow ? 'low' : 'in';
}
