import { claimLimits, partCount, type Claim } from '#features/claims/domain/damage-claim.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { arrivedSizes, filesMissing, noteFiles, upload } from './claim-files.ts';

/* A claim's video. It comes in parts, because one request carries a few MB at most, and is played from them. */

const videoFolder = (orderId: number, id: string): string => `${String(orderId)}/${id}`;
/** Two digits, so that names sort as the parts follow each other. */
const partName = (index: number): string => String(index).padStart(2, '0');

const videoParts = (orderId: number, { id, bytes }: { id: string; bytes: number }): string[] =>
  Array.from(
    { length: partCount(bytes) },
    (_, index) => `${videoFolder(orderId, id)}/${partName(index)}`,
  );

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
 * The paths of a claim's files. Throws 400 when a photo is of another order, or parts of the video are missing or of another size than
 * announced. The page checks that it is not too long; here its bytes are its limit.
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
  return [...photos, ...paths];
}
