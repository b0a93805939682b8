import { readPictureDataUrl } from '../../domain/admin/data-url.ts';

/** What the server takes as it is. */
const accepted = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif']);
/** Functions take about 4.5 MB; a little room for what goes around the bytes. */
const maxBytes = 4 * 1024 * 1024;
const maxPixels = 2_000;

/** Why a picture cannot be sent, in words for the admin. */
export class PictureError extends Error {
  override name = 'PictureError';
}

const unreadable = (file: Blob & { name?: string }): PictureError => {
  const heic = /heic|heif/iu.test(file.type) || /\.hei[cf]$/iu.test(file.name ?? '');
  return new PictureError(
    heic
      ? 'This browser cannot read HEIC pictures. Set the phone’s camera to “Most compatible”, or send a JPEG.'
      : 'This file is not a picture that can be read. Choose a JPEG, PNG, WebP or AVIF file.',
  );
};

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

async function decode(file: Blob): Promise<ImageBitmap | HTMLImageElement> {
  try {
    return await createImageBitmap(file);
  } catch {
    return decodeInElement(file).catch(() => {
      throw unreadable(file);
    });
  }
}

async function draw(file: Blob, maxSide: number, type: 'image/jpeg' | 'image/png', quality?: number): Promise<Blob> {
  const picture = await decode(file);
  const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const brush = canvas.getContext('2d');
  if (!brush) throw unreadable(file);
  if (type === 'image/jpeg') {
    // JPEG has no transparency, which would come out black.
    brush.fillStyle = '#ffffff';
    brush.fillRect(0, 0, canvas.width, canvas.height);
  }
  brush.drawImage(picture, 0, 0, canvas.width, canvas.height);
  if ('close' in picture) picture.close();
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, quality);
  });
  if (!blob) throw unreadable(file);
  return blob;
}

/**
 * The picture as it can be sent: as it is when the server takes it, else decoded and shrunk to 2000 pixels as a
 * JPEG. Throws PictureError.
 */
export async function preparePicture(file: Blob): Promise<Blob> {
  if (file.size === 0) throw new PictureError('This file is empty.');
  if (accepted.has(file.type) && file.size <= maxBytes) return file;
  for (const [maxSide, quality] of [[maxPixels, 0.9], [maxPixels, 0.75], [1_400, 0.7]] as const) {
    const blob = await draw(file, maxSide, 'image/jpeg', quality);
    if (blob.size <= maxBytes) return blob;
  }
  throw new PictureError('This picture is larger than 4 MB and could not be made smaller here. Send a smaller one.');
}

/** A data URL as a PNG file (spec section 3), or, when that would be too large, as it is sent otherwise. Throws PictureError. */
export async function pictureOfDataUrl(text: string): Promise<Blob> {
  const read = readPictureDataUrl(text);
  if (!read) throw new PictureError('This is not a picture’s address: it begins with https:// or data:image/…');
  const given = new Blob([read.bytes], { type: read.type });
  const png = given.type === 'image/png' ? given : await draw(given, maxPixels, 'image/png');
  return preparePicture(png);
}
