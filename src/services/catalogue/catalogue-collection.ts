import { getCollection } from 'astro:content';
import type { Product } from '../../domain/catalogue/product.ts';

let products: Promise<Product[]> | undefined;

/** Every product of this build, oldest first, sold-out ones last. Read once, however many pages ask. */
export function catalogue(): Promise<Product[]> {
  products ??= getCollection('products').then((entries) =>
    entries
      .map(({ data: { catalogueVersion: _version, ...product } }): Product => product)
      .toSorted(
        (a, b) => Number(a.stock === 0) - Number(b.stock === 0) || Date.parse(a.createdAt) - Date.parse(b.createdAt),
      ),
  );
  return products;
}

/** The version of the catalogue that this build shows: the admin's changes up to this number are in its pages. */
export async function catalogueVersion(): Promise<number> {
  const [first] = await getCollection('products');
  if (!first) throw new Error('There is no piece to build from.');
  return first.data.catalogueVersion;
}
