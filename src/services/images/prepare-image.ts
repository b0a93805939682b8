import { readImageDataUrl } from '#domain/admin/products/data-url.ts';
import { ShownError } from '#domain/shown-error.ts';
import { damagedImage, imageKind, isWholeImage } from '#domain/whole-image.ts';

/** Media types that the server takes as they are. */
const accepted = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif']);
/** Functions take about 4.5 MB; a little room for what goes around the bytes. */
const maxBytes = 4 * 1024 * 1024;
/** Up to here an image is sent as it is: shrinking would save less time than it takes. */
const smallBytes = 300 * 1024;
/** A shrunk image is to be no larger: on an uplink of 750 kbit/s it takes seven seconds. */
const wantedBytes = 640 * 1024;
const maxPixels = 2_000;
/** Longest side and quality, the first that comes out small enough. */
const sizes = [
  [maxPixels, 0.85],
  [maxPixels, 0.75],
  [1_600, 0.75],
  [1_400, 0.7],
] as const;

/** Why an image cannot be sent, in words for the admin. */
export class ImageError extends ShownError {
  override name = 'ImageError';
}

const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

/** Whether the bytes are HEIC: some galleries name such files .jpg. */
const isHeic = async (file: Blob & { name?: string }): Promise<boolean> =>
  imageKind(await bytesOf(file)) === 'heic' ||
  /heic|heif/iu.test(file.type) ||
  /\.hei[cf]$/iu.test(file.name ?? '');

const unreadable = async (file: Blob): Promise<ImageError> =>
  new ImageError(
    (await isHeic(file))
      ? 'This browser cannot read HEIC pictures. Set the phone’s camera to “Most compatible”, or send a JPEG.'
      : 'This file is not a picture that can be read. Choose a JPEG, PNG, WebP or AVIF file.',
  );

/**
 * A chosen photo as it can be kept and shown: a HEIC that this browser reads becomes a JPEG, everything else stays as it is. Throws
 * ImageError for what cannot be read.
 *
 * @public
 */
export async function readPhoto(file: File): Promise<Blob> {
  const image = await decodeImage(file);
  try {
    if (accepted.has(file.type) && !(await isHeic(file))) return file;
    const jpeg = await draw(image, maxPixels, 'image/jpeg', 0.85);
    if (jpeg === null) throw await unreadable(file);
    return jpeg;
  } finally {
    if ('close' in image) image.close();
  }
}

/** Safari reads HEIC in an image element, where createImageBitmap may refuse. */
async function decodeInElement(file: Blob): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Throws ImageError for half a file, of which a browser would draw the half that is there. */
async function requireWhole(file: Blob): Promise<void> {
  if (!isWholeImage(await bytesOf(file))) throw new ImageError(damagedImage);
}

/** An image file as it can be drawn, upright. Throws ImageError. */
export async function decodeImage(file: Blob): Promise<ImageBitmap | HTMLImageElement> {
  await requireWhole(file);
  try {
    return await createImageBitmap(file);
  } catch {
    return decodeInElement(file).catch(async () => {
      throw await unreadable(file);
    });
  }
}

type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

/** The image anew; null when this browser cannot write that type. */
async function draw(
  image: ImageBitmap | HTMLImageElement,
  maxSide: number,
  type: ImageType,
  quality?: number,
): Promise<Blob | null> {
  const scale = Math.min(1, maxSide / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const brush = canvas.getContext('2d');
  if (!brush) return null;
  if (type === 'image/jpeg') {
    // JPEG has no transparency, which would come out black.
    brush.fillStyle = '#ffffff';
    brush.fillRect(0, 0, canvas.width, canvas.height);
  }
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, quality);
  });
  return blob?.type === type ? blob : null;
}

/** The image in at most 2000 pixels and, if it can be, `wantedBytes`. Throws ImageError when it cannot be read. */
async function shrink(file: Blob): Promise<Blob | null> {
  const image = await decodeImage(file);
  // Transparent images stay transparent, where the browser writes WebP.
  const types =
    file.type === 'image/jpeg'
      ? (['image/jpeg'] as const)
      : (['image/webp', 'image/jpeg'] as const);
  let best: Blob | null = null;
  for (const type of types) {
    for (const [maxSide, quality] of sizes) {
      const blob = await draw(image, maxSide, type, quality);
      if (blob === null) break;
      if (best === null || blob.size < best.size) best = blob;
      if (blob.size <= wantedBytes) break;
    }
    if (best !== null) break;
  }
  if ('close' in image) image.close();
  return best;
}

/**
 * The image as it can be sent: as it is when it is small, else decoded and shrunk to 2000 pixels. Throws ImageError.
 */
export async function prepareImage(file: Blob): Promise<Blob> {
  if (file.size === 0) throw new ImageError('This file is empty.');
  await requireWhole(file);
  const taken = accepted.has(file.type) && !(await isHeic(file));
  if (taken && file.size <= smallBytes) return file;
  const whole = taken && file.size <= maxBytes ? file : null;
  // The server may read an image that this browser cannot.
  const shrunk = await shrink(file).catch((error: unknown) => {
    if (whole === null) throw error;
    return null;
  });
  if (shrunk !== null && shrunk.size < (whole?.size ?? maxBytes)) return shrunk;
  if (whole !== null) return whole;
  throw new ImageError(
    'This picture is larger than 4 MB and could not be made smaller here. Send a smaller one.',
  );
}

/** A data URL as a PNG file (spec section 3), or, when that would be too large, as it is sent otherwise. Throws ImageError. */
export async function imageOfDataUrl(text: string): Promise<Blob> {
  const read = readImageDataUrl(text);
  if (!read)
    throw new ImageError(
      'This is not a picture’s address: it begins with https:// or data:image/…',
    );
  const given = new Blob([read.bytes], { type: read.type });
  const png =
    given.type === 'image/png'
      ? given
      : await draw(await decodeImage(given), maxPixels, 'image/png');
  return prepareImage(png ?? given);
}
