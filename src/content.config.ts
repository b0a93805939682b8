import { defineCollection } from 'astro:content';
import type { Loader } from 'astro/loaders';
import { z } from 'astro/zod';
import type { Product } from './domain/product.ts';
import { fetchCatalogue } from './services/catalogue.ts';

/** Reads the catalogue from Supabase. `fetchCatalogue` has parsed the rows: a second schema here could only drift. */
const supabaseLoader: Loader = {
  name: 'supabase-products',
  async load(context) {
    const products = await fetchCatalogue();
    context.store.clear();
    for (const product of products) {
      const data = { ...product };
      context.store.set({ id: product.id, data, digest: context.generateDigest(data) });
    }
    context.logger.info(`${String(products.length)} products`);
  },
};

export const collections = {
  products: defineCollection({ loader: supabaseLoader, schema: z.custom<Product>() }),
};
