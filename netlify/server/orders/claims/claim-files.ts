import * as z from 'zod/mini';
import { claimLimits, partCount, type Claim } from '../../../../src/domain/orders/damage-claim.ts';
import { secondsOfVideo } from '../../../../src/domain/orders/video-file.ts';
import { seller } from '../../../../src/seller.config.ts';
import { retention } from '../../../../src/domain/retention.ts';
import { reencodeImage } from '../../catalogue/picture.ts';
import { callFunction, database, readRows } from '../../platform/database.ts';
import { HttpError, unavailable } from '../../platform/http/http-error.ts';
import { orderNotFound } from '../order-record.ts';

const files = () => database().storage.from('claims');

const outcomeSchema = z.object({
  outcome: z.string(),
  freed: z._default(z.array(z.string()), []),
});

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
async function noteFiles(
  orderId: number,
  kind: 'photo' | 'video',
  paths: readonly string[],
  keep: readonly string[] | null,
): Promise<void> {
  const { outcome, freed } = await callFunction(
    'note_claim_files',
    {
      ...{ p_order_id: orderId, p_kind: kind, p_paths: paths, p_keep: keep },
      p_max_total_bytes: seller.shipping.claimFilesMegabytes * 1_000_000,
    },
    outcomeSchema,
  );
  await removeMarked(freed);
  if (outcome === 'not_found') throw orderNotFound();
  if (outcome === 'not_possible') throw nothingToClaim();
  if (outcome === 'removing') throw unavailable();
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
async function upload(
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

const videoFolder = (orderId: number, id: string): string => `${String(orderId)}/${id}`;
/** Two digits, so that names sort as the parts follow each other. */
const partName = (index: number): string => String(index).padStart(2, '0');

const videoParts = (orderId: number, { id, bytes }: { id: string; bytes: number }): string[] =>
  Array.from(
    { length: partCount(bytes) },
    (_, index) => `${videoFolder(orderId, id)}/${partName(index)}`,
  );

/** Sizes in bytes of the files that have arrived, by path. */
async function arrivedSizes(paths: readonly string[]): Promise<Map<string, number>> {
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

/** Notes a video before it is uploaded, in the place of another one of the draft. Returns the numbers of the parts that have not arrived. Throws as `noteFiles`. */
export async function missingVideoParts(
  orderId: number,
  video: { id: string; bytes: number },
): Promise<number[]> {
  const paths = videoParts(orderId, video);
  await noteFiles(orderId, 'video', paths, []);
  const arrived = await arrivedSizes(paths);
  return paths.flatMap((path, index) => (arrived.has(path) ? [] : [index]));
}

/** The first part, and the one in which the header begins when it stands at the end. */
const maxPartsRead = 2;

/** Reads a video from at most `maxPartsRead` of its parts; beyond them, it reads nothing. */
function readParts(paths: readonly string[]): (at: number, length: number) => Promise<Uint8Array> {
  const fetched = new Map<number, Promise<Uint8Array>>();
  const part = async (index: number): Promise<Uint8Array> => {
    const path = paths[index];
    return path === undefined ? new Uint8Array() : downloadFile(path);
  };
  const partOnce = (index: number): Promise<Uint8Array> => {
    const found = fetched.get(index) ?? (fetched.size < maxPartsRead ? part(index) : null);
    if (found === null) return Promise.resolve(new Uint8Array());
    fetched.set(index, found);
    return found;
  };
  return async (at, length) => {
    const index = Math.floor(at / claimLimits.partBytes);
    const from = at - index * claimLimits.partBytes;
    const head = (await partOnce(index)).subarray(from, from + length);
    if (head.byteLength === length) return head;
    const rest = (await partOnce(index + 1)).subarray(0, length - head.byteLength);
    return new Uint8Array([...head, ...rest]);
  };
}

/** Whether a file begins as MP4 and MOV ('ftyp' after the first length) or WebM (an EBML header) do. */
const isVideo = (bytes: Uint8Array): boolean => {
  const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return text.slice(4, 8) === 'ftyp' || text.startsWith('\x1a\x45\xdf\xa3');
};

/** Stores a part of a video; the same part again changes nothing. Throws 415 when the first part begins no video. */
export async function storeVideoPart(
  orderId: number,
  { video, index }: { video: string; index: number },
  bytes: Uint8Array,
): Promise<void> {
  if (index === 0 && !isVideo(bytes))
    throw new HttpError(
      415,
      'unsupported_video',
      'This file is not a video that we can play. Please record it with the camera of your phone.',
    );
  await upload(orderId, 'video', `${videoFolder(orderId, video)}/${partName(index)}`, bytes, null);
}

/**
 * The paths of a claim's files. Throws 400 when a photo is of another order, parts of the video are missing or of another size than
 * announced, or the video says that it is too long. MP4 and MOV tell their length; WebM does not.
 */
export async function claimPaths(orderId: number, { photos, video }: Claim): Promise<string[]> {
  if (photos.some((path) => !path.startsWith(`${String(orderId)}/`))) throw filesMissing();
  if (video === null) return [...photos];
  const paths = videoParts(orderId, video);
  const arrived = await arrivedSizes(paths);
  const sizes = paths.map((path) => arrived.get(path) ?? Number.NaN);
  const isWhole = sizes.every(
    (size, index) =>
      size === Math.min(claimLimits.partBytes, video.bytes - index * claimLimits.partBytes),
  );
  if (!isWhole) throw filesMissing();
  if ((await secondsOfVideo(readParts(paths), video.bytes)) > claimLimits.videoSeconds + 1)
    throw new HttpError(
      400,
      'video_too_long',
      'This video is longer than 30 seconds. Cut it in the gallery of your phone first.',
    );
  return [...photos, ...paths];
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
