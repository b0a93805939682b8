import { contrast } from '../../src/integrations/check-shop/readable-colours.ts';
import type { ThemeSettings } from '../../src/shop-schema/theme-schema.ts';

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

/** The lightest mixture of a colour with black that white can be read on. */
function readable(colour: string, min: number): string {
  let dark = colour;
  for (let part = 0; contrast(dark, '#ffffff') < min && part < 1; part += 0.02)
    dark = mix(colour, '#000000', part);
  return dark;
}

/** A theme whose buttons and bands have a colour ('#rrggbb'), darkened until white is read on it. The rest is that of `base`. */
export function themeOfColour(base: ThemeSettings, colour: string): ThemeSettings {
  const main = readable(colour, 7);
  return {
    ...base,
    colors: {
      ...base.colors,
      brand: {
        800: mix(main, '#000000', 0.25),
        700: main,
        600: readable(mix(main, '#ffffff', 0.12), 4.6),
        50: mix(main, '#ffffff', 0.94),
      },
    },
  };
}
