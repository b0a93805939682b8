import type { BackupRecord } from './backup-file.ts';
import type { ShopData } from '#local/emulators/supabase/database/project.ts';
import { StartError } from '#local/shared/start-error.ts';

type FileRecord = Extract<BackupRecord, { kind: 'file' }>;
type Storage = ShopData['storage'];

const pageSize = 1_000;

/** The paths of all files below a folder of a bucket. */
async function* pathsBelow(
  storage: Storage,
  bucket: string,
  folder: string,
): AsyncGenerator<string> {
  for (let offset = 0; ; offset += pageSize) {
    const { data, error } = await storage
      .from(bucket)
      .list(folder, { limit: pageSize, offset, sortBy: { column: 'name', order: 'asc' } });
    if (error) throw new StartError(`The bucket ${bucket} cannot be listed (${error.message}).`);
    for (const { name, id } of data) {
      const path = folder === '' ? name : `${folder}/${name}`;
      // Folders have no id.
      if (id === null) yield* pathsBelow(storage, bucket, path);
      else yield path;
    }
    if (data.length < pageSize) return;
  }
}

/** Every file of every bucket. Throws StartError for one that cannot be read. */
export async function* readFiles(storage: Storage): AsyncGenerator<FileRecord> {
  const buckets = await storage.listBuckets();
  if (buckets.error)
    throw new StartError(`The buckets cannot be listed (${buckets.error.message}).`);
  for (const { id: bucket } of buckets.data)
    for await (const path of pathsBelow(storage, bucket, '')) {
      const { data, error } = await storage.from(bucket).download(path);
      if (error) throw new StartError(`${bucket}/${path} cannot be read (${error.message}).`);
      const content = Buffer.from(await data.arrayBuffer()).toString('base64');
      yield { kind: 'file', bucket, path, type: data.type, content };
    }
}

/** Puts a file back where it was. Throws StartError. */
export async function writeFile(
  storage: Storage,
  { bucket, path, type, content }: FileRecord,
): Promise<void> {
  const { error } = await storage.from(bucket).upload(path, Buffer.from(content, 'base64'), {
    contentType: type,
    // Another file has another name, as when the shop stores it.
    cacheControl: '31536000',
    upsert: true,
  });
  if (error) throw new StartError(`${bucket}/${path} cannot be written (${error.message}).`);
}
