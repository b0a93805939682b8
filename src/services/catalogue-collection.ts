import { getCollection } from 'astro:content';
import type { Product } from '../domain/product.ts';

let products: Promise<Product[]> | undefined;

/** Every piece of this build, oldest first, sold-out ones last. Read once, however many pages ask. */
export function catalogue(): Promise<Product[]> {
  products ??= getCollection('products').then((entries) =>
    entries
      .map((entry) => entry.data)
      .toSorted(
        (a, b) => Number(a.stock === 0) - Number(b.stock === 0) || Date.parse(a.createdAt) - Date.parse(b.createdAt),
      ),
  );
  return products;
}
