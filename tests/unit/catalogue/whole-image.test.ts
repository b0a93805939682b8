import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { imageKind, isWholeImage } from '#domain/whole-image.ts';
import { eachRow } from '#tests/each-row.ts';

const noise = () =>
  sharp({
    create: {
      width: 64,
      height: 48,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });
const bytesOf = async (image: Sharp): Promise<Uint8Array> => new Uint8Array(await image.toBuffer());
const files = {
  jpeg: await bytesOf(noise().jpeg()),
  'progressive jpeg': await bytesOf(noise().jpeg({ progressive: true })),
  png: await bytesOf(noise().png()),
  webp: await bytesOf(noise().webp()),
  avif: await bytesOf(noise().avif({ effort: 0 })),
};
const kinds = Object.entries(files);
const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

test('an image is whole as it was written, and not with its last byte, tenth or half missing', () =>
  eachRow(kinds, ([name, bytes]) => {
    expect(imageKind(bytes)).toBe(name.split(' ').at(-1));
    expect(isWholeImage(bytes)).toBe(true);
    for (const length of [bytes.length - 1, bytes.length * 0.9, bytes.length * 0.5, 40])
      expect(isWholeImage(bytes.subarray(0, Math.floor(length))), String(length)).toBe(false);
  }));

test('the end of a preview inside a JPEG is not the end of the image', () => {
  const { jpeg } = files;
  // Cameras store it this way: a small JPEG in a segment of its own, before the image.
  const preview = joined(
    Uint8Array.of(0xff, 0xe1, (jpeg.length + 2) >> 8, (jpeg.length + 2) & 255),
    jpeg,
  );
  const photo = joined(jpeg.subarray(0, 2), preview, jpeg.subarray(2));
  expect(isWholeImage(photo)).toBe(true);
  expect(isWholeImage(photo.subarray(0, photo.length - 200))).toBe(false);
});

test('what phones append to an image, such as a film of its moment, does not count', () =>
  eachRow(['jpeg', 'progressive jpeg', 'png', 'webp'] as const, (name) => {
    expect(isWholeImage(joined(files[name], Uint8Array.of(0xff, 1, 2, 3)))).toBe(true);
  }));

test('a file that is no image is left to the decoder', () => {
  expect(imageKind(Uint8Array.of(1, 2, 3))).toBeNull();
  expect(isWholeImage(Uint8Array.of())).toBe(true);
});
