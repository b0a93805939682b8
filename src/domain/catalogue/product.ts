import { shop } from '#settings/shop.ts';
import type { Paise } from '#domain/money.ts';
import type { Attributes } from './attributes.ts';
import type { Category } from './category.ts';
import type { ProductSize } from './sizes.ts';

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
