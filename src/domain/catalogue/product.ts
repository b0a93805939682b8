import { categories as settings } from '../../settings/categories.ts';
import { shop } from '../../settings/shop.ts';
import type { Paise } from '../money.ts';
import type { Attributes } from './attributes.ts';
import type { ProductSize } from './sizes.ts';

/** The slug of a category: 'toe-rings'. A product may have one that the shop has no more (`isOffered`). */
export type Category = string;
/** In the order of the shop's settings. */
export const categories: readonly Category[] = settings.map(({ slug }) => slug);

/** 'toe-rings' → 'Toe rings', as shown to customers. A category that the shop has no more keeps its slug. */
export function categoryLabel(category: Category): string {
  return settings.find(({ slug }) => slug === category)?.label ?? category;
}

/**
 * Whether the shop shows and sells a product to customers. One whose category the shop has no more is not shown; the admin gives
 * it another.
 */
export const isOffered = ({ category }: { category: Category }): boolean =>
  categories.includes(category);

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

/** The current price of one unit, in paise: the offer when there is one (spec section 4). */
export function chargedPrice(product: { price: Paise; offerPrice: Paise | null }): Paise {
  return product.offerPrice ?? product.price;
}

/** 'out' at 0, 'low' below the shop's `lowStockBelow` (5 by spec section 9), else 'in'. */
export function stockLevel(stock: number): 'out' | 'low' | 'in' {
  if (stock <= 0) return 'out';
  return stock < shop.limits.lowStockBelow ? 'low' : 'in';
}

/** A size as a screen reader says it: 'Size 14', 'Size 10, 2 left' or 'Size 18, sold out'. */
export function spokenSize({ size, stock }: ProductSize): string {
  const rest = { out: ', sold out', low: `, ${String(stock)} left`, in: '' };
  return `Size ${size}${rest[stockLevel(stock)]}`;
}
