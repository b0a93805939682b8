import { getCollection } from 'astro:content';
import { chooseFeatured } from '../../domain/catalogue/featured-products.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { shop } from '../../shop.config.ts';

let products: Promise<Product[]> | undefined;

/** Every product of this build, oldest first, sold-out ones last. Read once, however many pages ask. */
export function catalogue(): Promise<Product[]> {
  products ??= getCollection('products').then((entries) =>
    entries
      .map(({ data: { catalogueVersion: _version, featured: _place, ...product } }): Product => product)
      .toSorted(
        (a, b) => Number(a.stock === 0) - Number(b.stock === 0) || Date.parse(a.createdAt) - Date.parse(b.createdAt),
      ),
  );
  return products;
}

/** The products of the front page: those that the admin chose, in that order, and the newest in the places left. */
export async function featuredProducts(): Promise<Product[]> {
  const places = (await getCollection('products')).flatMap(({ data: { id, featured } }) => (featured === null ? [] : [{ id, featured }]));
  const chosen = places.toSorted((a, b) => a.featured - b.featured).map(({ id }) => id);
  return chooseFeatured(await catalogue(), chosen, shop.limits.featured);
}

/** The version of the catalogue that this build shows: the admin's changes up to this number are in its pages. */
export async function catalogueVersion(): Promise<number> {
  const [first] = await getCollection('products');
  if (!first) throw new Error('There is no piece to build from.');
  return first.data.catalogueVersion;
}
