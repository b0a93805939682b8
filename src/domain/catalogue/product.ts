import { shop } from '../../shop.config.ts';
import type { Paise } from '../money.ts';
import type { Attributes } from './attributes.ts';
import type { ProductSize } from './sizes.ts';

export const categories = ['rings', 'necklaces', 'bracelets', 'earrings', 'watches'] as const;
export type Category = (typeof categories)[number];

/** 'rings' → 'Rings', as shown to customers. */
export function categoryLabel(category: string): string {
  return category.charAt(0).toUpperCase() + category.slice(1);
}

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

/** 'out' at 0, 'low' below 5 (spec section 9), else 'in'. */
export function stockLevel(stock: number): 'out' | 'low' | 'in' {
  if (stock <= 0) return 'out';
  return stock < shop.limits.lowStockBelow ? 'low' : 'in';
}
