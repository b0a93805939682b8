import * as z from 'zod/mini';
import { typedLines } from '#domain/typed-text.ts';

/** The limits of one claim. The endpoints, SQL and the page enforce them. */
export const claimLimits = {
  message: 2_000,
  photos: 5,
  videoSeconds: 30,
  videoBytes: 50 * 1024 * 1024,
  /** A part of a video, in bytes: a cut connection costs one part. Netlify hands 4.5 MB to a function. */
  partBytes: 4 * 1024 * 1024,
} as const;

/** The request header with the token of a claim's link. */
export const claimLinkHeader = 'x-claim-link';

const photoPath = z.string().check(z.regex(/^[1-9]\d{0,14}\/[\da-f-]{36}\.webp$/u));
const videoId = z.uuid();

/** Answer of POST /api/claims/order: what the page shows of an order. Times are ISO strings. */
export const claimStateSchema = z.object({
  orderId: z.int(),
  items: z.array(z.string()),
  /** null until the parcel is delivered. */
  deliveredAt: z.nullable(z.string()),
  /** The hours of the order's terms. */
  damageHours: z.int(),
  /** When the time of the policy ends; null until the parcel is delivered. */
  until: z.nullable(z.string()),
  claims: z.array(
    z.object({
      id: z.int(),
      createdAt: z.string(),
      late: z.boolean(),
      answer: z.nullable(z.enum(['refund', 'replacement', 'declined'])),
      reason: z.string(),
      amountPaise: z.nullable(z.int()),
      replacementId: z.nullable(z.int()),
    }),
  ),
});
export type ClaimState = z.infer<typeof claimStateSchema>;

/** Answer of POST /api/claims/link: the page of the customer's own order, and when damage was last reported there; null for never. */
export const claimLinkSchema = z.object({
  path: z.string(),
  reportedAt: z.nullable(z.string()),
});
export type OwnClaimLink = z.infer<typeof claimLinkSchema>;

/** `keep` of POST /api/claims/photo: the photos of the draft that have arrived before. */
export const keptPhotosSchema = z.array(photoPath).check(z.maxLength(claimLimits.photos - 1));

/** Answer of POST /api/claims/photo. */
export const storedPhotoSchema = z.object({ path: photoPath });

/** Body of POST /api/claims/video: how large the video is, in bytes. The same id continues an upload. */
export const videoRequestSchema = z.object({
  id: videoId,
  bytes: z
    .int()
    .check(
      z.minimum(1, 'This video is empty.'),
      z.maximum(claimLimits.videoBytes, 'This video is larger than 50 MB. Send a shorter one.'),
    ),
});

/** Its answer: the numbers of the parts that have not arrived, from 0. */
export const missingPartsSchema = z.object({ missing: z.array(z.int()) });
/** The query of POST /api/claims/part, whose body is the part's bytes. */
export const videoPartSchema = z.object({
  video: videoId,
  index: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(12)),
});

/** How many parts a video of so many bytes has. */
export const partCount = (bytes: number): number => Math.ceil(bytes / claimLimits.partBytes);

/** Body of POST /api/claims/send. */
export const claimSchema = z.object({
  message: z
    .string()
    .check(
      typedLines(),
      z.minLength(1, 'Tell us what is damaged.'),
      z.maxLength(claimLimits.message, 'Please use at most 2000 characters.'),
    ),
  photos: z.array(photoPath).check(z.maxLength(claimLimits.photos, 'Five photos at most.')),
  video: z.nullable(videoRequestSchema),
});
export type Claim = z.infer<typeof claimSchema>;
