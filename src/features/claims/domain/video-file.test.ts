import { expect, test } from 'vitest';
import { withoutNotes } from './video-file.ts';

const box = (type: string, ...content: Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
/** A box whose length has eight bytes. */
const longBox = (type: string, body: Uint8Array): Buffer => {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1);
  head.write(type, 4, 'latin1');
  head.writeBigUInt64BE(BigInt(body.length + 16), 8);
  return Buffer.concat([head, body]);
};
const start = box('ftyp', Buffer.from('mp42'));
const film = box('mdat', Buffer.alloc(5_000, 7));
const place = Buffer.from('+09.9312+076.2673/ Canary');
test('place and names are taken out of a video, and nothing else of it changes', async () => {
  const track = box('trak', box('tkhd', Buffer.alloc(84, 1)), box('meta', place));
  const movie = box(
    'moov',
    box('mvhd', Buffer.alloc(120)),
    track,
    box('udta', box('\u00A9xyz', place)),
  );
  const file = Buffer.concat([start, longBox('uuid', place), film, movie]);
  const clean = Buffer.from(await (await withoutNotes(new Blob([file]))).arrayBuffer());
  expect(clean.length).toBe(file.length);
  expect(clean.includes('Canary')).toBe(false);
  expect(clean.includes('+09.9312')).toBe(false);
  expect(clean.includes(film)).toBe(true);
  expect(clean.includes(Buffer.alloc(84, 1))).toBe(true);
});

test('a video without such notes stays as it is', async () => {
  const file = new Blob([Buffer.concat([start, film])]);
  expect(await withoutNotes(file)).toBe(file);
});
