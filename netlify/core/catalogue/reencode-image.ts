import sharp, { type Metadata } from 'sharp';
import { damagedImage, imageKind, isWholeImage, type ImageKind } from '#domain/whole-image.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

/** An image as it is stored and served: WebP, upright, at most 2000 pixels wide and high, nothing but the image. */
export interface StoredImage {
  content: Uint8Array;
  width: number;
  height: number;
}

const maxSide = 2_000;
const maxPixels = 40_000_000;
const seconds = 20;

// The decoder supports many more formats, some of which render text or read files. Only four are allowed.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
});
sharp.cache(false);

const refused = (status: 415 | 422, sentence: string, cause?: unknown): HttpError =>
  new HttpError(
    status,
    status === 415 ? 'unsupported_picture' : 'unreadable_picture',
    sentence,
    {},
    cause,
  );

function isOf(kind: ImageKind, { format, compression }: Metadata): boolean {
  return kind === 'avif' ? format === 'heif' && compression === 'av1' : format === kind;
}

/**
 * Decodes an uploaded image and encodes it anew, so that nothing of the file itself is stored: no metadata, no place
 * where it was taken, no second content hidden in it. Throws 415 for what is no image, 422 with a sentence for the
 * admin when it cannot be used.
 */
export async function reencodeImage(bytes: Uint8Array): Promise<StoredImage> {
  const kind = imageKind(bytes);
  // Without an AVIF's brand it is HEIC, or a film.
  if (kind === null || kind === 'heic')
    throw refused(
      415,
      'This is not a picture that the shop can show. Please choose a JPEG, PNG, WebP or AVIF file.',
    );
  if (!isWholeImage(bytes)) throw refused(422, damagedImage);
  // One broken line is repaired in silence by every viewer; missing data is not.
  const options = { limitInputPixels: maxPixels, failOn: 'error', animated: false } as const;
  let described: Metadata;
  try {
    described = await sharp(bytes, options).metadata();
  } catch (error) {
    if (error instanceof Error && /pixel limit/iu.test(error.message)) throw tooManyPixels(error);
    throw refused(422, damagedImage, error);
  }
  if (!isOf(kind, described))
    throw refused(
      415,
      'This file is not what it says it is. Please choose a JPEG, PNG, WebP or AVIF file.',
    );
  if (described.width * described.height > maxPixels) throw tooManyPixels();
  try {
    const { data, info } = await sharp(bytes, options)
      .autoOrient()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 84 })
      .timeout({ seconds })
      .toBuffer({ resolveWithObject: true });
    return { content: data, width: info.width, height: info.height };
  } catch (error) {
    throw refused(422, damagedImage, error);
  }
}

const tooManyPixels = (cause?: unknown): HttpError =>
  refused(
    422,
    'This picture is too large: 40 megapixels at most. Please make it smaller and try again.',
    cause,
  );
