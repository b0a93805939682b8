import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, extname, join, resolve, sep } from 'node:path';
import type { App } from '@supabase/lite';
import * as z from 'zod';
import { readJson, writeFileAtomically, writeJson } from '#local/data-folder/files.ts';

type StorageAdapter = NonNullable<App['_storageAdapter']>;
type Metadata = Awaited<ReturnType<StorageAdapter['headObject']>>;
type UploadBody = Parameters<StorageAdapter['uploadObject']>[3];

/** Headers of an upload, in a folder that is no bucket. */
const headersSchema = z.object({ mimetype: z.string(), cacheControl: z.string() });
const headersFolder = '.headers';

/** Types of files that were stored before their headers were. */
const types: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
};

/**
 * Keeps uploaded objects as files below a folder, `<bucket>/<key>`. (The package's own adapter of this kind is wired
 * by its command line only, to a folder inside the project.)
 */
export function storeObjectsIn(root: string): StorageAdapter {
  const pathOf = (bucket: string, key: string): string => {
    const path = resolve(root, bucket, key);
    if (!path.startsWith(resolve(root) + sep)) throw new Error('The key leaves the bucket');
    return path;
  };
  const headersOf = (bucket: string, key: string): string =>
    `${pathOf(join(headersFolder, bucket), key)}.json`;
  const describe = async (bucket: string, key: string, content?: Uint8Array): Promise<Metadata> => {
    const path = pathOf(bucket, key);
    const { size, mtime } = await stat(path);
    const headers = await readJson(headersOf(bucket, key), headersSchema);
    return {
      cacheControl: headers?.cacheControl ?? 'max-age=3600',
      contentLength: size,
      size,
      mimetype:
        headers?.mimetype ?? types[extname(key).toLowerCase()] ?? 'application/octet-stream',
      lastModified: mtime,
      eTag: `"${createHash('sha256')
        .update(content ?? (await readFile(path)))
        .digest('hex')
        .slice(0, 32)}"`,
    };
  };
  const remove = async (bucket: string, key: string): Promise<void> => {
    for (const file of [pathOf(bucket, key), headersOf(bucket, key)])
      await rm(file, { force: true });
  };
  return {
    driver: null,
    async getObject(bucket, key, _version, browser) {
      const content = await readFile(pathOf(bucket, key));
      const metadata = await describe(bucket, key, content);
      if (browser?.ifNoneMatch === metadata.eTag) return { httpStatusCode: 304, metadata };
      return { httpStatusCode: 200, metadata, body: content };
    },
    async uploadObject(bucket, key, _version, body, mimetype, cacheControl) {
      const path = pathOf(bucket, key);
      const content = await bytesOf(body);
      await mkdir(dirname(path), { recursive: true });
      await writeFileAtomically(path, content);
      await mkdir(dirname(headersOf(bucket, key)), { recursive: true });
      await writeJson(headersOf(bucket, key), { mimetype, cacheControl });
      return describe(bucket, key, content);
    },
    async deleteObject(bucket, key) {
      await remove(bucket, key);
    },
    async deleteObjects(bucket, keys) {
      for (const key of keys) await remove(bucket, key);
    },
    async copyObject(fromBucket, from, _version, toBucket, to) {
      const target = pathOf(toBucket, to);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(pathOf(fromBucket, from), target);
      const { eTag, lastModified } = await describe(toBucket, to);
      return { httpStatusCode: 200, eTag, ...(lastModified ? { lastModified } : {}) };
    },
    headObject: async (bucket, key) => describe(bucket, key),
    privateAssetUrl: async (bucket, key) => Promise.resolve(`file://${join(root, bucket, key)}`),
  };
}

async function bytesOf(body: UploadBody): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
