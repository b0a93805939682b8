import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ThemeSettings } from '#shop-schema/theme-schema.ts';

/** A cut stone, in a square of 32: whatever the jewellery is. */
const mark = ({ accent, brand }: ThemeSettings['colors']): string =>
  `<path fill="${brand[700]}" d="M10 7h12l6 7-12 13L4 14Z" />` +
  `<path fill="none" stroke="${accent[500]}" stroke-width="1.500" stroke-linejoin="round" d="M4 14h24M10 7l6 20 6-20M10 7l2.500 7L16 7l3.500 7L22 7" />`;

/** Writes the logo and the icons of a shop in its colours to `folder` (`src/shop`). */
export async function drawIcons(folder: string, { colors }: ThemeSettings): Promise<void> {
  const svg = (viewBox: string, ground = ''): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${ground}${mark(colors)}</svg>\n`;
  const ground = `<circle cx="16" cy="17" r="17" fill="${colors.paper}" />`;
  await writeFile(join(folder, 'logo.svg'), svg('4 2 24 30'));
  await writeFile(join(folder, 'public/favicon.svg'), svg('-1 0 34 34', ground));
  await writeFile(
    join(folder, 'public/placeholder.svg'),
    svg('-24 -22 80 80', `<path fill="${colors.tile}" d="M-24-22h80v80h-80Z" />`),
  );
  const square = Buffer.from(
    svg('-6 -5 44 44', `<path fill="${colors.paper}" d="M-6-5h44v44h-44Z" />`),
  );
  for (const [name, size] of [
    ['favicon.png', 48],
    ['apple-touch-icon.png', 180],
    ['icon-512.png', 512],
  ] as const) {
    await sharp(square, { density: 900 })
      .resize(size)
      .png({ palette: true })
      .toFile(join(folder, 'public', name));
  }
}
