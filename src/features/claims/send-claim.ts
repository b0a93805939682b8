import * as z from 'zod/mini';
import {
  claimLimits,
  claimLinkHeader,
  claimLinkSchema,
  claimStateSchema,
  missingPartsSchema,
  partCount,
  storedPhotoSchema,
  type Claim,
  type ClaimState,
  type OwnClaimLink,
} from './domain/damage-claim.ts';
import { getAccessToken } from '#services/auth/account.ts';
import { ImageError, prepareImage } from '#services/images/prepare-image.ts';
import { LinkError, postToLink } from '#services/orders/post-to-link.ts';

/** Whether the same request can be sent again when there is a connection. */
export const isOffline = (error: unknown): boolean =>
  error instanceof LinkError && (error.status === 0 || error.status === 503);

/** Whether a file was refused for what it is: by this browser or by the server. */
export const isRefusedFile = (error: unknown): boolean =>
  error instanceof ImageError ||
  (error instanceof LinkError && [413, 415, 422].includes(error.status));

const post = <T>(
  action: string,
  headers: Readonly<Record<string, string>>,
  body: BodyInit | null,
  schema: z.ZodMiniType<T>,
): Promise<T> => postToLink(`/api/claims/${action}`, headers, body, schema);

const jsonHeaders = (token: string): Record<string, string> => ({
  'content-type': 'application/json',
  [claimLinkHeader]: token,
});

/** The order of a link and its claims. Throws LinkError. */
export const fetchClaimState = (token: string): Promise<ClaimState> =>
  post('order', { [claimLinkHeader]: token }, null, claimStateSchema);

/**
 * Uploads a photo, made smaller first. `keep` has the paths of the draft's photos that have arrived; others are deleted. Returns its
 * path. Throws LinkError, or ImageError for what is no image.
 */
export async function uploadPhoto(
  token: string,
  file: Blob,
  keep: readonly string[],
): Promise<string> {
  const photo = await prepareImage(file);
  const headers = { 'content-type': photo.type, [claimLinkHeader]: token };
  const query = new URLSearchParams(keep.map((path) => ['keep', path])).toString();
  return (await post(`photo?${query}`, headers, photo, storedPhotoSchema)).path;
}

/** Uploads the parts of a video that have not arrived yet. `onPart` gets how many are there, and of how many. Throws LinkError. */
export async function uploadVideo(
  token: string,
  id: string,
  file: Blob,
  onPart: (done: number, of: number) => void,
): Promise<void> {
  const body = JSON.stringify({ id, bytes: file.size });
  const { missing } = await post('video', jsonHeaders(token), body, missingPartsSchema);
  const all = partCount(file.size);
  for (const [done, index] of missing.entries()) {
    onPart(all - missing.length + done, all);
    const from = index * claimLimits.partBytes;
    await post(
      `part?video=${id}&index=${String(index)}`,
      { 'content-type': 'application/octet-stream', [claimLinkHeader]: token },
      file.slice(from, from + claimLimits.partBytes),
      z.unknown(),
    );
  }
}

/** Sends the claim. Throws LinkError. */
export const sendClaim = (token: string, claim: Claim): Promise<ClaimState> =>
  post('send', jsonHeaders(token), JSON.stringify(claim), claimStateSchema);

/** Fetches for the signed-in customer the page where damage of an order is reported, and whether it was. @throws LinkError. */
export async function fetchClaimLink(orderId: string): Promise<OwnClaimLink> {
  const token = await getAccessToken();
  if (token === null) throw new LinkError('Please sign in again.', 401);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = JSON.stringify({ orderId: Number(orderId) });
  return post('link', headers, body, claimLinkSchema);
}
