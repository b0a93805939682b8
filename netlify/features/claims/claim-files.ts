import * as z from 'zod/mini';
import { seller } from '#settings/seller.ts';
import { retention } from '#domain/retention.ts';
import { shownWord, unknownWord } from '#domain/sql-word.ts';
import { reencodeImage } from '#core/catalogue/reencode-image.ts';
import { callFunction, database, readRows } from '#core/platform/database.ts';
import { HttpError, unavailable } from '#core/platform/http/http-error.ts';
import { orderNotFound } from '#core/orders/order-record.ts';
import { noteFilesOutcomes } from './claim-outcomes.ts';

const files = () => database().storage.from('claims');

const outcomeSchema = z.object({
  outcome: shownWord(noteFilesOutcomes),
  freed: z._default(z.array(z.string()), []),
});

/** Downloads a file. Throws 503. */
async function downloadFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const { data, error } = await files().download(path);
  if (error) throw unavailable(error);
  return new Uint8Array(await data.arrayBuffer());
}

/** Deletes files that are marked for it, then their rows. Throws 503; the nightly job then tries again. */
async function removeMarked(paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const { error } = await files().remove([...paths]);
  if (error) throw unavailable(error);
  await callFunction('forget_claim_files', { p_paths: paths }, z.unknown());
}

/**
 * Notes files before they are uploaded. Deletes those of the same kind that wait for their claim and are not in `keep`; null
 * deletes none. Throws 404; 409 when there is nothing to claim; 429 when too many wait for their claim; 503.
 */
export async function noteFiles(
  orderId: number,
  kind: 'photo' | 'video',
  paths: readonly string[],
  keep: readonly string[] | null,
): Promise<void> {
  const { outcome, freed } = await callFunction(
    'note_claim_files',
    {
      p_order_id: orderId,
      p_kind: kind,
      p_paths: paths,
      p_keep: keep,
      p_max_total_bytes: seller.shipping.claimFilesMegabytes * 1_000_000,
    },
    outcomeSchema,
  );
  await removeMarked(freed);
  if (outcome === 'not_found') throw orderNotFound();
  if (outcome === 'not_possible') throw nothingToClaim();
  // Nothing is uploaded without a row, which would be lost in the storage.
  if (outcome === 'removing' || outcome === unknownWord) throw unavailable();
  if (outcome === 'full')
    throw new HttpError(
      429,
      'too_many_requests',
      'No more files can be taken for this order now. Please write to us.',
    );
}

/** The 409 of an order that is not on its way yet. */
export const nothingToClaim = (): HttpError =>
  new HttpError(
    409,
    'not_possible',
    'Damage can be reported once the parcel is on its way. Please ask us if something is wrong.',
  );

/**
 * Notes a file, uploads it, and notes that it has arrived. A path that has arrived keeps its file. Throws as `noteFiles`; 503
 * when an earlier upload did not finish, the next try then replaces it; 400 when another device replaced it meanwhile.
 */
export async function upload(
  orderId: number,
  kind: 'photo' | 'video',
  path: string,
  content: Uint8Array,
  keep: readonly string[] | null,
): Promise<void> {
  await noteFiles(orderId, kind, [path], keep);
  const contentType = kind === 'photo' ? 'image/webp' : 'application/octet-stream';
  // A file that is there is never written over: a claim may have it already.
  const { error } = await files().upload(path, content, { contentType, upsert: false });
  if (error) {
    const isUnfinished = await callFunction(
      'drop_unfinished_upload',
      { p_path: path },
      z.boolean(),
    );
    if (isUnfinished) {
      await removeMarked([path]);
      throw unavailable(error);
    }
    if ((await arrivedSizes([path])).has(path)) return;
    throw unavailable(error);
  }
  const args = { p_path: path, p_bytes: content.byteLength };
  if (await callFunction('note_claim_upload', args, z.boolean())) return;
  // Without a row nobody would find this file again.
  await files().remove([path]);
  throw filesMissing();
}

/**
 * Stores a photo, encoded anew and without metadata. `keep` has the paths of the draft's other photos; the rest are deleted. Returns
 * its path. Throws 415 or 422 for what is no image.
 */
export async function storeClaimPhoto(
  orderId: number,
  bytes: Uint8Array,
  keep: readonly string[],
): Promise<string> {
  const { content } = await reencodeImage(bytes);
  const path = `${String(orderId)}/${crypto.randomUUID()}.webp`;
  await upload(orderId, 'photo', path, content, keep);
  return path;
}

/** Sizes in bytes of the files that have arrived, by path. */
export async function arrivedSizes(paths: readonly string[]): Promise<Map<string, number>> {
  const rows = await readRows(
    'claim files',
    database()
      .from('claim_files')
      .select('path, bytes')
      .in('path', paths)
      .match({ removing: false })
      .gt('bytes', 0),
    z.array(z.object({ path: z.string(), bytes: z.int() })),
  );
  return new Map(rows.map(({ path, bytes }) => [path, bytes]));
}

/** The 400 of a claim whose files did not arrive. */
export const filesMissing = (): HttpError =>
  new HttpError(
    400,
    'files_missing',
    'Some photos or the video did not arrive completely. Please send them again.',
  );

/** A file of a claim that was sent, for the admin. Throws 404. */
export async function readClaimFile(orderId: number, path: string): Promise<Response> {
  const rows = await readRows(
    'claim file',
    database()
      .from('claim_files')
      .select('kind')
      .match({ path, order_id: orderId })
      .gt('claim_id', 0),
    z.array(z.object({ kind: z.string() })),
  );
  const [row] = rows;
  if (!row) throw orderNotFound();
  const type = row.kind === 'photo' ? 'image/webp' : 'application/octet-stream';
  return new Response(await downloadFile(path), { headers: { 'content-type': type } });
}

/** Files of one call: the storage takes up to a thousand. */
const filesPerCall = 200;

/** Deletes files whose term is over until `deadline` (ms since the epoch). Returns how many. */
export async function removeDueClaimFiles(deadline: number): Promise<number> {
  let removed = 0;
  while (Date.now() < deadline) {
    const paths = await callFunction(
      'take_due_claim_files',
      { p_days: retention.claim_files.days, p_limit: filesPerCall },
      z.array(z.string()),
    );
    if (paths.length === 0) break;
    await removeMarked(paths);
    removed += paths.length;
  }
  return removed;
}
