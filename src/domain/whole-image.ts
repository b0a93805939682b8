/** The types of image that the shop takes. HEIC is the container of AVIF with another brand, which some browsers turn into a JPEG. */
export type ImageKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic';

export const damagedImage =
  'This picture is damaged and cannot be read. Please choose another one, or save it anew first.';

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
const textOf = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/** The type of an image by its first bytes, because name and declared type may be wrong; null for every other file. */
export function imageKind(bytes: Uint8Array): ImageKind | null {
  if (textOf(bytes, 0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (textOf(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (textOf(bytes, 0, 4) === 'RIFF' && textOf(bytes, 8, 12) === 'WEBP') return 'webp';
  if (textOf(bytes, 4, 8) !== 'ftyp') return null;
  const boxEnd = Math.min(viewOf(bytes).getUint32(0), 256);
  // The second word is a version, no brand.
  const brands = (textOf(bytes, 8, boxEnd).match(/.{4}/gsu) ?? []).filter(
    (_, index) => index !== 1,
  );
  if (brands.includes('avif')) return 'avif';
  return brands.some((brand) => /^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/u.test(brand)) ? 'heic' : null;
}

/** JPEG: segments with a length each, then compressed data up to the next marker; `FF D9` ends the image. */
function isWholeJpeg(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return false;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9) return true;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    at += 2 + view.getUint16(at + 2);
    if (marker !== 0xda) continue;
    // Within the data, `FF` is followed by 0 or by the number of a restart.
    while (at + 1 < bytes.length) {
      const next = bytes[at + 1] ?? 0;
      if (bytes[at] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7)) break;
      at += 1;
    }
  }
  return bytes[at] === 0xff && bytes[at + 1] === 0xd9;
}

/** PNG: chunks with a length, a name and a checksum each; `IEND` ends the image. */
function isWholePng(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at))
    if (textOf(bytes, at + 4, at + 8) === 'IEND') return true;
  return false;
}

/** AVIF and HEIC: boxes with a length each, one after the other. */
function hasWholeBoxes(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  const names: string[] = [];
  let at = 0;
  while (at + 8 <= bytes.length) {
    const short = view.getUint32(at);
    names.push(textOf(bytes, at + 4, at + 8));
    // 0: to the end of the file; 1: eight bytes behind the name have the length.
    if (short === 0) at = bytes.length;
    else if (short !== 1) at += Math.max(8, short);
    else if (at + 16 > bytes.length) return false;
    else at += Math.max(16, Number(view.getBigUint64(at + 8)));
  }
  return at === bytes.length && names.includes('meta') && names.includes('mdat');
}

/**
 * Whether no part of an image file is missing at its end, by the structure of its type. Browsers draw what is there of half a file, so
 * this is asked before anything is drawn; the server's decoder would see a whole new image. True for other types of file.
 */
export function isWholeImage(bytes: Uint8Array): boolean {
  switch (imageKind(bytes)) {
    case 'jpeg':
      return isWholeJpeg(bytes);
    case 'png':
      return isWholePng(bytes);
    case 'webp':
      return bytes.length >= 12 && viewOf(bytes).getUint32(4, true) + 8 <= bytes.length;
    case 'avif':
    case 'heic':
      return hasWholeBoxes(bytes);
    default:
      return true;
  }
}
