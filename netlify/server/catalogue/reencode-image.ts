import sharp, { type Metadata } from 'sharp';
import { HttpError } from '../platform/http/http-error.ts';

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

type Kind = 'jpeg' | 'png' | 'webp' | 'avif';

/** The file type by its first bytes. The name and declared type are not trusted. */
function imageKind(bytes: Uint8Array): Kind | null {
  const text = (from: number, to: number): string =>
    Buffer.from(bytes.subarray(from, to)).toString('latin1');
  if (text(0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp';
  if (text(4, 8) !== 'ftyp') return null;
  const boxEnd = Math.min(Buffer.from(bytes).readUInt32BE(0), 256);
  const brands = text(8, boxEnd).match(/.{4}/gsu) ?? [];
  // The second word is a version, no brand. Without 'avif' among them it is HEIC, or a film.
  return brands.some((brand, index) => index !== 1 && brand === 'avif') ? 'avif' : null;
}

function isOf(kind: Kind, { format, compression }: Metadata): boolean {
  return kind === 'avif' ? format === 'heif' && compression === 'av1' : format === kind;
}

/**
 * Decodes an uploaded image and encodes it anew, so that nothing of the file itself is stored: no metadata, no place
 * where it was taken, no second content hidden in it. Throws 415 for what is no image, 422 with a sentence for the
 * admin when it cannot be used.
 */
export async function reencodeImage(bytes: Uint8Array): Promise<StoredImage> {
  const kind = imageKind(bytes);
  if (kind === null)
    throw refused(
      415,
      'This is not a picture that the shop can show. Please choose a JPEG, PNG, WebP or AVIF file.',
    );
  // One broken line is repaired in silence by every viewer; missing data is not.
  const options = { limitInputPixels: maxPixels, failOn: 'error', animated: false } as const;
  let described: Metadata;
  try {
    described = await sharp(bytes, options).metadata();
  } catch (error) {
    if (error instanceof Error && /pixel limit/iu.test(error.message)) throw tooManyPixels(error);
    throw refused(
      422,
      'This picture is damaged and cannot be read. Please choose another one, or save it anew first.',
      error,
    );
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
    throw refused(
      422,
      'This picture is damaged and cannot be read. Please choose another one, or save it anew first.',
      error,
    );
  }
}

const tooManyPixels = (cause?: unknown): HttpError =>
  refused(
    422,
    'This picture is too large: 40 megapixels at most. Please make it smaller and try again.',
    cause,
  );
