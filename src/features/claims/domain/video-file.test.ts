import { expect, test } from 'vitest';
import { secondsOfVideo, withoutNotes } from './video-file.ts';
import { eachRow } from '../../../../tests/each-row.ts';

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
const header = (units: number, length: number, version = 0): Buffer => {
  const content = Buffer.alloc(120);
  content.writeUInt8(version);
  content.writeUInt32BE(units, version === 1 ? 20 : 12);
  if (version === 1) content.writeBigUInt64BE(BigInt(length), 24);
  else content.writeUInt32BE(length, 16);
  return box('mvhd', content);
};
const start = box('ftyp', Buffer.from('mp42'));
const film = box('mdat', Buffer.alloc(5_000, 7));
const place = Buffer.from('+09.9312+076.2673/ Canary');
const seconds = (file: Uint8Array): Promise<number> =>
  secondsOfVideo((at, length) => Promise.resolve(file.subarray(at, at + length)), file.length);

test('the length of a video is read wherever its header is', () =>
  eachRow(
    [
      [Buffer.concat([start, box('moov', header(600, 18_000)), film]), 30],
      [Buffer.concat([start, film, box('moov', header(1_000, 12_500))]), 12.5],
      [
        Buffer.concat([start, longBox('mdat', film), box('moov', header(90_000, 2_790_000, 1))]),
        31,
      ],
    ] as const,
    async ([file, length]) => {
      expect(await seconds(file)).toBe(length);
    },
  ));

test('a file that does not tell, is cut or lies has no length', () =>
  eachRow(
    [
      Buffer.alloc(0),
      Buffer.from('\u001aE\u00DF\u00A3', 'latin1'),
      Buffer.concat([start, film]),
      Buffer.concat([start, box('moov', box('mvhd', Buffer.alloc(4)))]),
      Buffer.concat([start, box('moov', header(0, 0))]),
      Buffer.concat([start, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x6d, 0x6f, 0x6f, 0x76])]),
      Buffer.concat(Array.from({ length: 2_000 }, () => box('free'))),
    ],
    async (file) => {
      expect(await seconds(file)).toBeNaN();
    },
  ));

test('place and names are taken out of a video, and nothing else of it changes', async () => {
  const track = box('trak', box('tkhd', Buffer.alloc(84, 1)), box('meta', place));
  const movie = box('moov', header(600, 6_000), track, box('udta', box('\u00A9xyz', place)));
  const file = Buffer.concat([start, longBox('uuid', place), film, movie]);
  const clean = Buffer.from(await (await withoutNotes(new Blob([file]))).arrayBuffer());
  expect(clean.length).toBe(file.length);
  expect(clean.includes('Canary')).toBe(false);
  expect(clean.includes('+09.9312')).toBe(false);
  expect(await seconds(clean)).toBe(10);
  expect(clean.includes(film)).toBe(true);
  expect(clean.includes(Buffer.alloc(84, 1))).toBe(true);
});

test('a video without such notes stays as it is', async () => {
  const file = new Blob([Buffer.concat([start, film])]);
  expect(await withoutNotes(file)).toBe(file);
});
