/*
 * A backup is one file: JSON lines, compressed with gzip, encrypted with age (https://age-encryption.org). Without this
 * repository, `age --decrypt shop.backup.age | gunzip` prints the lines.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import * as z from 'zod';
import { StartError } from '#local/shared/start-error.ts';

/** The key of a backup: a passphrase, or a key pair whose public half writes and whose private half reads. */
export interface BackupKey {
  passphrase?: string | undefined;
  /** `age1…` */
  recipient?: string | undefined;
  /** `AGE-SECRET-KEY-1…` */
  identity?: string | undefined;
}

const tableSchema = z.object({ name: z.string(), columns: z.array(z.string()) });
const recordSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('shop'),
    format: z.literal(1),
    /** When the backup was taken, by the database's clock. */
    at: z.string(),
    tables: z.array(tableSchema),
    /** {sequence: last value}; null for one that was never used. */
    sequences: z.record(z.string(), z.number().nullable()),
  }),
  /** `rows` is a JSON array as the database wrote it: JavaScript would round large numbers. */
  z.object({ kind: z.literal('rows'), table: z.string(), rows: z.string(), count: z.int() }),
  z.object({
    kind: z.literal('file'),
    bucket: z.string(),
    path: z.string(),
    type: z.string(),
    /** Base64. */
    content: z.string(),
  }),
  z.object({ kind: z.literal('end'), rows: z.int(), files: z.int() }),
]);

export type BackupTable = z.infer<typeof tableSchema>;
export type BackupRecord = z.infer<typeof recordSchema>;
export type ShopRecord = Extract<BackupRecord, { kind: 'shop' }>;
export type EndRecord = Extract<BackupRecord, { kind: 'end' }>;

type WebStream = ReadableStream<Uint8Array>;

async function* toLines(records: AsyncIterable<BackupRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}

/** Writes a backup to `file`, in one step: an interrupted one leaves no half file. */
export async function writeBackup(
  file: string,
  key: BackupKey,
  records: AsyncIterable<BackupRecord>,
): Promise<void> {
  const encrypter = new Encrypter();
  if (key.recipient !== undefined) encrypter.addRecipient(key.recipient);
  else if (key.passphrase !== undefined) encrypter.setPassphrase(key.passphrase);
  else throw new StartError('Set BACKUP_PASSPHRASE or BACKUP_RECIPIENT: a backup is encrypted.');
  const lines = Readable.from(toLines(records));
  const zipped = createGzip();
  // An error of the database must end the file, too.
  lines.once('error', (error) => zipped.destroy(error));
  lines.pipe(zipped);
  const encrypted = await encrypter.encrypt(Readable.toWeb(zipped) as unknown as WebStream);
  const draft = `${file}.part`;
  try {
    await pipeline(
      Readable.fromWeb(encrypted as unknown as NodeStream),
      createWriteStream(draft, { mode: 0o600 }),
    );
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The records of a backup. Throws StartError for a wrong key and for a file that is damaged or no backup. */
export async function* readBackup(file: string, key: BackupKey): AsyncGenerator<BackupRecord> {
  const decrypter = new Decrypter();
  if (key.identity !== undefined) decrypter.addIdentity(key.identity);
  else if (key.passphrase !== undefined) decrypter.addPassphrase(key.passphrase);
  else throw new StartError('Set BACKUP_PASSPHRASE or BACKUP_IDENTITY: the backup is encrypted.');
  try {
    const encrypted = Readable.toWeb(createReadStream(file)) as unknown as WebStream;
    const zipped = Readable.fromWeb((await decrypter.decrypt(encrypted)) as unknown as NodeStream);
    const text = createGunzip();
    zipped.once('error', (error) => text.destroy(error));
    for await (const line of createInterface({ input: zipped.pipe(text) }))
      yield recordSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new StartError(
      `${file} cannot be read (${error instanceof Error ? error.message : String(error)}): the key is another one, or the file is damaged.`,
    );
  }
}

/** Reads a backup to its end. Throws StartError unless everything in it is there. */
export async function checkBackup(
  file: string,
  key: BackupKey,
): Promise<{ shop: ShopRecord; end: EndRecord }> {
  let shop: ShopRecord | null = null;
  let end: EndRecord | null = null;
  let [rows, files] = [0, 0];
  for await (const record of readBackup(file, key)) {
    if (record.kind === 'shop') shop = record;
    if (record.kind === 'rows') rows += record.count;
    if (record.kind === 'file') files += 1;
    if (record.kind === 'end') end = record;
  }
  if (!shop || end?.rows !== rows || end.files !== files)
    throw new StartError(`${file} ends too early: it is not a whole backup.`);
  return { shop, end };
}
