import * as z from 'zod/mini';
import { callFunction, database, readRows } from '#core/platform/database.ts';
import { unavailable } from '#core/platform/http/http-error.ts';
import type { StoredImage } from './reencode-image.ts';

const bucket = 'product-images';

/**
 * Puts an image into the bucket under a name of the server's own, and returns its path. The path is written down
 * first: a file whose upload was cut off is found again and cleared away.
 */
export async function storeImage({ content }: StoredImage): Promise<string> {
  const path = `products/${crypto.randomUUID()}.webp`;
  await readRows('note image', database().from('pictures').insert({ path }), z.unknown());
  const options = { contentType: 'image/webp', cacheControl: '31536000', upsert: false };
  const { error } = await database().storage.from(bucket).upload(path, content, options);
  if (error) throw unavailable(error);
  return path;
}

/**
 * Removes the files of images that no product, review and order shows any more; how many. Built pages may still show an
 * image that its product no longer has: call it only when nothing waits for a build. Those that a review has no more go at any time.
 */
export async function removeUnusedImages(
  limit: number,
  of: 'products' | 'reviews',
): Promise<number> {
  const paths = await callFunction(
    'unused_pictures',
    { p_limit: limit, ...(of === 'reviews' && { p_of_reviews: true }) },
    z.array(z.string()),
  );
  if (paths.length === 0) return 0;
  const { error } = await database().storage.from(bucket).remove(paths);
  if (error) throw unavailable(error);
  await readRows(
    'forget images',
    database().from('pictures').delete().in('path', paths),
    z.unknown(),
  );
  return paths.length;
}
