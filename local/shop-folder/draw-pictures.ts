import { join } from 'node:path';
import sharp from 'sharp';
import { escapeXml } from '#domain/xml.ts';
import type { ThemeSettings } from '#shop-schema/theme-schema.ts';

type Colours = ThemeSettings['colors'];

/** Cloth in soft folds with a woven border, and a sheet of paper on it: an SVG of `width` by `height` pixels. */
function cloth(
  { accent, brand, mist, paper, tile }: Colours,
  width: number,
  height: number,
): string {
  const tag = (name: string, values: Readonly<Record<string, string | number>>): string =>
    `<${name} ${Object.entries(values)
      .map(([key, value]) => `${key}="${String(value)}"`)
      .join(' ')}/>`;
  // Light and shade by turns, ever wider.
  const folds = [0, 0.08, 0.19, 0.27, 0.45, 0.55, 0.79, 1].map((offset, index) =>
    tag('stop', { offset, 'stop-color': index % 2 === 0 ? tile : mist }),
  );
  const stripe = (from: number, to: number, fill: string): string =>
    tag('rect', { y: height * from, width, height: height * (to - from), fill });
  const side = height * 0.4;
  const sheet = (shift: number, fill: string): string =>
    tag('rect', {
      x: width * 0.66 + shift,
      y: height * 0.2 + shift,
      width: side,
      height: side,
      fill,
      transform: `rotate(-7 ${String(width * 0.66)} ${String(height * 0.4)})`,
    });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}">`,
    `<linearGradient id="folds" x2="1" y2=".35">${folds.join('')}</linearGradient>`,
    tag('rect', { width, height, fill: 'url(#folds)' }),
    stripe(0.84, 0.848, accent[500]),
    stripe(0.86, 0.92, brand[700]),
    stripe(0.932, 0.94, accent[500]),
    sheet(height * 0.008, mist),
    sheet(0, paper),
    '</svg>',
  ].join('');
}

/** A letter as this machine's fonts draw it: its size, and the ink of the corner in which a box has its first digit. */
async function drawnLetter(letter: string): Promise<{ size: string; corner: string }> {
  const { data, info } = await sharp({
    text: { text: escapeXml(letter), font: 'sans 60', rgba: false },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const corner = Array.from({ length: Math.floor(height / 2) }, (_, y) =>
    data
      .subarray(y * width * channels, (y * width + Math.floor(width / 2)) * channels)
      .toString('hex'),
  ).join('');
  return { size: `${String(width)} ${String(height)}`, corner };
}

/** A code point that is no letter (Unicode 17): every font draws it as a box with its number, 0378, as it does a letter that it lacks. */
const noLetter = '\u0378';

/** Whether this machine has no font for a letter, and draws a box with four digits of its code, as for all letters of the scripts of India. */
async function isBox(letter: string): Promise<boolean> {
  const [drawn, box] = await Promise.all([drawnLetter(letter), drawnLetter(noLetter)]);
  return (
    drawn.size === box.size && ((letter.codePointAt(0) ?? 0) > 0xfff || drawn.corner === box.corner)
  );
}

/** The letters of a name for which this machine has no font. */
export async function lettersWithoutFont(name: string): Promise<string[]> {
  const letters = [...new Set(name.match(/\p{L}/gu))];
  const boxes = await Promise.all(letters.map(isBox));
  return letters.filter((_, index) => boxes[index]);
}

/**
 * Writes the images of a shop that has no photographs yet to `folder` (`src/shop`): plain cloth and paper in its own colours for home
 * and /about, and the card that WhatsApp, Google and others show beside a link, with the shop's name. Returns a sentence for the owner when
 * the card has no name, because this machine has no font for it; else null.
 */
export async function drawPictures(
  folder: string,
  name: string,
  { colors, fonts }: ThemeSettings,
): Promise<string | null> {
  const file = (path: string): string => join(folder, 'public', path);
  for (const [path, width, height] of [
    ['pictures/hero.webp', 2_760, 1_536],
    ['pictures/hero-phone.webp', 1_035, 720],
    ['pictures/about.webp', 1_610, 1_208],
  ] as const) {
    await sharp(Buffer.from(cloth(colors, width, height)))
      .webp({ quality: 72 })
      .toFile(file(path));
  }
  const [width, height, band] = [1_200, 630, 96] as const;
  const ground =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}">` +
    `<rect width="100%" height="100%" fill="${colors.paper}"/>` +
    `<rect y="${String(height - band)}" width="100%" height="${String(band)}" fill="${colors.brand[700]}"/>` +
    `<rect y="${String(height - band - 18)}" width="100%" height="6" fill="${colors.accent[500]}"/></svg>`;
  const missing = await lettersWithoutFont(name);
  const card = sharp(Buffer.from(ground));
  if (missing.length === 0)
    card.composite([
      { input: await centred(await drawName(name, colors, fonts), width, height - band - 18) },
    ]);
  await card.jpeg({ quality: 88 }).toFile(file('social-card.jpg'));
  return missing.length === 0
    ? null
    : `This computer has no font for ${missing.slice(0, 3).join(' ')}, so src/shop/public/social-card.jpg, the image beside links, is without the name. Put one of 1200 x 630 pixels in its place, or install a font (Debian: fonts-noto-core) and run this again with --again.`;
}

/** The name in the colour of the brand. The font is one of this machine: the shop's own fonts are compressed for browsers. */
const drawName = (name: string, colors: Colours, fonts: ThemeSettings['fonts']): Promise<Buffer> =>
  sharp({
    text: {
      text: `<span foreground="${colors.brand[700]}">${escapeXml(name)}</span>`,
      font: fonts.display.fallback,
      align: 'centre',
      rgba: true,
      width: 960,
      height: 240,
    },
  })
    .png()
    .toBuffer();

/** An image in the middle of an empty one of `width` by `height` pixels. */
async function centred(image: Buffer, width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: '#0000' } })
    .composite([{ input: image, gravity: 'centre' }])
    .png()
    .toBuffer();
}
