import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';
import type { StoredItem } from '#tests/browser/account/customers.ts';

/** A row of `products` as tests write it; prices in rupees. */
export interface ProductRow {
  id: string;
  name: string;
  description: string;
  category: string;
  price: number;
  offerPrice: number | null;
  stock: number;
  images: string[];
  image_alts: string[];
  attributes: Record<string, string | number>;
  sizes?: { size: string; stock: number }[];
}

const products = () => supabaseAs('shop').from('products');

function stopAt(error: { message: string } | null): void {
  if (error) throw new Error(error.message);
}

/** Puts a product of the test's own into the catalogue, after the build. */
export async function insertProduct(changes: Partial<ProductRow> = {}): Promise<ProductRow> {
  const row: ProductRow = {
    id: randomUUID(),
    name: 'Test Product',
    description: 'Made for a test.',
    category: shopCategory(2).slug,
    price: 1234.5,
    offerPrice: null,
    stock: 7,
    images: [],
    image_alts: [],
    attributes: { size: 'Adjustable' },
    ...changes,
  };
  stopAt((await products().insert(row)).error);
  return row;
}

/** A product as a line of a stored cart. */
export function cartLine(product: ProductRow, quantity = 1): StoredItem {
  const { id, name, category, images, stock } = product;
  const offerPrice = product.offerPrice === null ? null : Math.round(product.offerPrice * 100);
  return {
    id,
    name,
    category,
    images,
    stock,
    quantity,
    offerPrice,
    price: Math.round(product.price * 100),
  };
}

export async function deleteProduct(id: string): Promise<void> {
  stopAt((await products().delete().eq('id', id)).error);
}

/** Changes a product and returns how to change it back. */
export async function changeProduct(
  name: string,
  changes: Partial<Pick<ProductRow, 'price' | 'offerPrice' | 'stock' | 'sizes' | 'description'>>,
): Promise<{ id: string; restore: () => Promise<void> }> {
  const { data, error } = await products()
    .select('id,price,"offerPrice",stock,sizes,description')
    .eq('name', name)
    .single();
  stopAt(error);
  const { id, ...before } = z.object({ id: z.string() }).loose().parse(data);
  stopAt((await products().update(changes).eq('id', id)).error);
  return {
    id,
    restore: async () => {
      stopAt((await products().update(before).eq('id', id)).error);
    },
  };
}

/** The address of a product of the demo catalogue. */
export async function addressOf(name: string): Promise<string> {
  const { data, error } = await products().select('id').eq('name', name).single();
  stopAt(error);
  return `/product/${z.object({ id: z.string() }).parse(data).id}`;
}

/** The first image entry of a product of the demo catalogue. */
export async function imageOf(name: string): Promise<string> {
  const { data, error } = await products().select('images').eq('name', name).single();
  stopAt(error);
  return z.object({ images: z.tuple([z.string()]).rest(z.string()) }).parse(data).images[0];
}

const storedSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  stock: z.number(),
  price: z.coerce.number(),
  images: z.array(z.string()),
  image_alts: z.array(z.string()),
});

/** A product as it is stored. */
export async function readProduct(id: string): Promise<z.infer<typeof storedSchema>> {
  const { data, error } = await products()
    .select('id,name,description,stock,price,images,image_alts')
    .eq('id', id)
    .single();
  stopAt(error);
  return storedSchema.parse(data);
}
