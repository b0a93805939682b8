import { contrast } from '#integrations/check-shop/readable-colours.ts';
import type { ThemeSettings } from '#shop-schema/theme-schema.ts';

const channels = (colour: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));

/** `part` (0 to 1) of the second colour in the first. Both as '#rrggbb'. */
function mix(one: string, other: string, part: number): string {
  const others = channels(other);
  return `#${channels(one)
    .map((value, index) => Math.round(value + ((others[index] ?? 0) - value) * part))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}

/** A colour with as little of `towards` ('#000000' or '#ffffff') as makes its contrast with `ground` reach `min`. */
function readable(colour: string, towards: string, ground: string, min: number): string {
  let mixed = colour;
  for (let part = 0; contrast(mixed, ground) < min && part < 1; part += 0.02)
    mixed = mix(colour, towards, part);
  return mixed;
}

/**
 * A theme of one colour ('#rrggbb'): buttons and bands have it, darkened until white is read on it, and threads and marks are lighter
 * steps of it. The rest is that of `base`.
 */
export function themeOfColour(base: ThemeSettings, colour: string): ThemeSettings {
  const [black, white] = ['#000000', '#ffffff'];
  const main = readable(colour, black, white, 7);
  const dark = mix(main, black, 0.25);
  return {
    ...base,
    colors: {
      ...base.colors,
      accent: {
        700: readable(mix(main, white, 0.2), black, base.colors.mist, 4.6),
        500: mix(main, white, 0.4),
        300: readable(mix(main, white, 0.65), white, dark, 4.6),
      },
      brand: {
        800: dark,
        700: main,
        600: readable(mix(main, white, 0.12), black, white, 4.6),
        50: mix(main, white, 0.94),
      },
    },
  };
}
