import * as z from 'zod/mini';
import { oldPathOf, storedFormsOf } from '#features/csv-file/domain/old-path.ts';
import { csvFileApi } from '#features/csv-file/domain/csv-file-api.ts';
import { maxBodyBytes } from '#core/catalogue/several-products.ts';
import { callFunction } from '#core/platform/database.ts';
import { readJson } from '#core/platform/http/request-body.ts';

/** Stores the paths that imported products had in another shop. Throws 400. */
export async function storeOldAddresses(request: Request): Promise<void> {
  const { rows } = await readJson(request, csvFileApi.storeOldAddresses.body, maxBodyBytes);
  await callFunction('store_old_addresses', { p_rows: rows }, z.nullish(z.unknown()));
}

/** The path of the product that had this address in the shop it was imported from; null for none. */
export async function productAtOldAddress(path: string): Promise<string | null> {
  const stored = oldPathOf(path);
  if (stored === null) return null;
  const id = await callFunction(
    'product_of_old_addresses',
    { p_paths: storedFormsOf(stored) },
    z.nullable(z.string()),
  );
  return id === null ? null : `/product/${id}`;
}

/** Sends a visitor on for good. Cached for an hour: a product may be hidden, or imported anew. */
export const movedTo = (path: string): Response =>
  new Response(null, {
    status: 301,
    headers: {
      location: path,
      'cache-control': 'public, max-age=3600',
      'netlify-cdn-cache-control': 'public, s-maxage=3600',
      'netlify-vary': 'query=none',
    },
  });
