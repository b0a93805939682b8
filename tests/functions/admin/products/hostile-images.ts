import { deflateSync } from 'node:zlib';
import sharp from 'sharp';

type Kind = 'jpeg' | 'png' | 'webp' | 'avif';

/** An image that a camera could have made: noise does not compress to nothing. */
export async function image(kind: Kind, width = 320, height = 240): Promise<Buffer<ArrayBuffer>> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 };
  const made = sharp({ create: { width, height, channels: 3, background: '#a8793a', noise } });
  const content = await (
    kind === 'avif' ? made.avif({ effort: 0 }) : made.toFormat(kind)
  ).toBuffer();
  return Buffer.from(content);
}

const text = (content: string): Buffer => Buffer.from(content, 'latin1');
const script = '<script>alert(document.domain)</script>';
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><image href="file:///etc/passwd"/>${script}</svg>`;

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1)
      value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([text(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG that says it is so large; a few bytes on the way, gigabytes when decoded. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc(Math.min((Math.ceil(width / 8) + 1) * height, 10_000_000)));
  return Buffer.concat([
    text('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const ftyp = (brand: string, ...compatible: string[]): Buffer => {
  const body = Buffer.concat([text(brand), Buffer.alloc(4), text(compatible.join(''))]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length + 8);
  return Buffer.concat([size, text('ftyp'), body, text('meta')]);
};

/** Files that are no image, or no whole one, by name. Not one may be stored. */
export async function hostileFiles(): Promise<[name: string, content: Buffer][]> {
  const [jpeg, png, webp, avif] = [
    await image('jpeg'),
    await image('png'),
    await image('webp'),
    await image('avif'),
  ];
  const [gif, tiff] = [await sharp(png).gif().toBuffer(), await sharp(png).tiff().toBuffer()];
  const half = (content: Buffer): Buffer => content.subarray(0, content.length / 2);
  const broken = (content: Buffer, from: number): Buffer => {
    const copy = Buffer.from(content);
    copy.fill(0xff, Math.floor(copy.length * from), Math.floor(copy.length * (from + 0.4)));
    return copy;
  };
  const garbage = Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 7_919) % 251));
  return [
    ['nothing', Buffer.alloc(0)],
    ['one byte', text('\xff')],
    ['garbage', garbage],
    ['zeros', Buffer.alloc(10_000)],
    ['SVG', text(svg)],
    [
      'SVG with a declaration',
      text(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg}`),
    ],
    ['SVG behind spaces', text(`\n\n   ${svg}`)],
    ['SVG behind a byte order mark', text(`\xef\xbb\xbf${svg}`)],
    ['SVG, gzipped', deflateSync(text(svg))],
    ['HTML', text(`<!doctype html>${script}`)],
    ['HTML behind a comment', text(`<!-- \xff\xd8\xff -->${script}`)],
    ['a script', text('alert(1)')],
    ['PHP', text('<?php system($_GET[0]); ?>')],
    ['PDF', text('%PDF-1.7\n1 0 obj<</S/JavaScript/JS(app.alert(1))>>')],
    ['ZIP', text('PK\x03\x04rest')],
    ['a program', text('\x7fELF\x02\x01\x01')],
    ['a program for Windows', text('MZ\x90\x00')],
    ['GIF', gif],
    ['GIF that is a script', text('GIF89a/*')],
    ['TIFF', tiff],
    ['BMP', text('BM\x46\x00\x00\x00')],
    ['ICO', text('\x00\x00\x01\x00\x01\x00')],
    ['PSD', text('8BPS\x00\x01')],
    ['a film (MP4)', ftyp('isom', 'iso2', 'avc1')],
    ['HEIC', ftyp('heic', 'mif1', 'heic')],
    ['AVIF by its version field only', Buffer.concat([text('\0\0\0\x10ftypheicavif'), garbage])],
    ['a sound in a RIFF', text('RIFF\x24\x00\x00\x00WAVEfmt ')],
    ['SVG behind a JPEG signature', text(`\xff\xd8\xff\xe0${svg}`)],
    ['HTML behind a JPEG signature', text(`\xff\xd8\xff${script}`)],
    ['HTML behind a PNG signature', text(`\x89PNG\r\n\x1a\n${script}`)],
    ['HTML behind a WebP signature', text(`RIFF\x00\x01\x00\x00WEBP${script}`)],
    ['HTML behind an AVIF signature', Buffer.concat([ftyp('avif', 'avif', 'mif1'), text(script)])],
    ['half a JPEG', half(jpeg)],
    ['half a PNG', half(png)],
    ['half a WebP', half(webp)],
    ['half an AVIF', half(avif)],
    ['the head of a JPEG', jpeg.subarray(0, 20)],
    ['the head of a PNG', png.subarray(0, 33)],
    ['the head of a WebP', webp.subarray(0, 20)],
    ['the head of an AVIF', avif.subarray(0, 40)],
    ['a PNG with its middle gone', broken(png, 0.3)],
    ['an AVIF with its head gone', broken(avif, 0.05)],
    ['a bomb of 50,000 × 50,000', bomb(50_000, 50_000)],
    ['a bomb of 1 × 65,000,000', bomb(65_000_000, 1)],
    ['a bomb of 8,000 × 5,001', bomb(8_000, 5_001)],
    ['a bomb of 2,147,483,647 × 2,147,483,647', bomb(2_147_483_647, 2_147_483_647)],
    ['a PNG without pixels', bomb(0, 0)],
  ];
}
