import { readFile } from 'node:fs/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import * as z from 'zod';
import type { DataFolder } from '#local/data-folder/data-folder.ts';
import { readJson, writeJson } from '#local/data-folder/files.ts';
import { messageOf } from '#local/shared/log.ts';
import { StartError } from '#local/shared/start-error.ts';
import { loadDemoCatalogue } from './products.ts';
import { seedCustomer, type CreateAccount } from './customer.ts';

const bucket = 'product-images';
const seededSchema = z.object({ at: z.string(), products: z.int() });

/** Records that the folder is filled: no later start puts the demo catalogue in. */
export const markSeeded = async (folder: DataFolder, products: number): Promise<void> =>
  writeJson(folder.seeded, { at: new Date().toISOString(), products });

/**
 * Fills a new data folder with the demo catalogue and the demo customer, over the same API that the shop uses. Every
 * step may be repeated, and the folder counts as filled after the last one: a start that was interrupted is finished
 * by the next. Returns how many products were put in, 0 when the folder was filled before. Throws StartError.
 */
export async function seedWhenEmpty(
  folder: DataFolder,
  database: SupabaseClient,
  createAccount: CreateAccount,
): Promise<number> {
  if (await readJson(folder.seeded, seededSchema)) return 0;
  try {
    const products = await loadDemoCatalogue();
    await createBucket(database);
    for (const { path, file } of products.flatMap(({ images }) => images)) {
      await uploadImage(database, path, await readFile(file));
    }
    const { error } = await database.from('products').upsert(products.map(({ row }) => row));
    if (error) throw new Error(error.message);
    await seedCustomer(database, createAccount);
    await markSeeded(folder, products.length);
    return products.length;
  } catch (error) {
    throw new StartError(`The demo catalogue could not be put in: ${messageOf(error)}`);
  }
}

async function createBucket(database: SupabaseClient): Promise<void> {
  const { error } = await database.storage.createBucket(bucket, {
    public: true,
    fileSizeLimit: 8 * 1024 * 1024,
    allowedMimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/avif'],
  });
  if (error && !/already exists/iu.test(error.message)) throw error;
}

/** Raw bytes: a form upload is what `@supabase/lite` cannot read. */
async function uploadImage(
  database: SupabaseClient,
  path: string,
  content: Uint8Array,
): Promise<void> {
  const options = { contentType: 'image/webp', cacheControl: '31536000', upsert: true };
  const { error } = await database.storage.from(bucket).upload(path, content, options);
  if (error) throw error;
}
