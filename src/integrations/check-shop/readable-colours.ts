import type { ShopFolder } from '#shop-schema/shop-schema.ts';

type Colours = ShopFolder['theme']['colors'];

/** Relative luminance of '#rrggbb', by WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, 1 to 21, by WCAG 2.2. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** What cannot be read in a theme: text needs a contrast of 4.5, edges and marks need 3 (WCAG 1.4.3 and 1.4.11). */
export function unreadableColours(colours: Colours): string[] {
  const { accent, brand, edge, ink, mist, paper, tile } = colours;
  const white = '#ffffff';
  const pairs: readonly [name: string, colour: string, on: string, ground: string, min: number][] =
    [
      ...Object.entries(ink).flatMap(([step, colour]) =>
        [paper, mist].map(
          (ground) =>
            [`ink.${step}`, colour, 'the page', ground, 4.5] as [
              string,
              string,
              string,
              string,
              number,
            ],
        ),
      ),
      ['ink.900', ink[900], 'tile', tile, 4.5],
      ['accent.700', accent[700], 'the page', paper, 4.5],
      ['accent.700', accent[700], 'mist', mist, 4.5],
      ['accent.300', accent[300], 'brand.800', brand[800], 4.5],
      ['brand.800', brand[800], 'white text', white, 4.5],
      ['brand.700', brand[700], 'white text', white, 4.5],
      ['brand.700', brand[700], 'brand.50', brand[50], 4.5],
      ['brand.600', brand[600], 'white text', white, 4.5],
      ['edge', edge, 'white', white, 3],
    ];
  return pairs.flatMap(([name, colour, on, ground, min]) => {
    const has = contrast(colour, ground);
    return has >= min
      ? []
      : [
          `theme.colors.${name}: hard to see on ${on} (contrast ${has.toFixed(1)}, at least ${String(min)} needed). Choose a darker or a lighter one.`,
        ];
  });
}
