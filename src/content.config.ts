import { defineCollection } from 'astro:content';
import type { Loader } from 'astro/loaders';
import { z } from 'astro/zod';
import type { Product } from './domain/catalogue/product.ts';
import { fetchCatalogue } from './services/catalogue/catalogue.ts';

/** A product, the version of the catalogue that it was read from, and its place on the front page, if it was chosen. */
type BuiltProduct = Product & { catalogueVersion: number; featured: number | null };

/** Reads the catalogue from Supabase. `fetchCatalogue` has parsed the rows: a second schema here could only drift. */
const supabaseLoader: Loader = {
  name: 'supabase-products',
  async load(context) {
    const { version, products, featured } = await fetchCatalogue();
    context.store.clear();
    for (const product of products) {
      // With each product, because it belongs to this very reading of them: a collection of its own is read apart.
      const place = featured.indexOf(product.id);
      const data = { ...product, catalogueVersion: version, featured: place === -1 ? null : place + 1 } satisfies BuiltProduct;
      context.store.set({ id: product.id, data, digest: context.generateDigest(data) });
    }
    context.logger.info(`${String(products.length)} products`);
  },
};

export const collections = {
  products: defineCollection({ loader: supabaseLoader, schema: z.custom<BuiltProduct>() }),
};
