import * as z from 'zod';
import { text } from './fields.ts';

/* The look, in `src/shop/theme.ts`. */

/** '#rrggbb'. In families by lightness 900 is the darkest. */
const colour = z
  .string('give a colour')
  .regex(/^#[\da-f]{6}$/u, "give a colour as '#' and six small letters or digits, such as #7a5b1e");

/** A font of the shop. Its `@font-face` rules for the site are in `src/shop/fonts/fonts.css`. */
const font = z.strictObject({
  family: text('the name of the font'),
  /** Address of the file in `src/shop/public/`. A file that changes gets another name: browsers keep it for a year. */
  file: z
    .string('give the address of a font file')
    .regex(/^\/fonts\/[\w-]+\.woff2$/u, 'give the address of a .woff2 file in public/fonts'),
  /** CSS families while it loads and where it cannot: mails and printed pages. */
  fallback: text('the fonts to use without it, such as Georgia, serif'),
});
export type FontSettings = z.infer<typeof font>;

export const themeSchema = z.strictObject({
  colors: z.strictObject({
    /** The page. */
    paper: colour,
    /** The ground of the photographs: tiles carry it, so that a picture melts into its place. */
    tile: colour,
    /** Bands of a page and empty places. */
    mist: colour,
    line: colour,
    /** Edges of form fields: 3:1 against white. */
    edge: colour,
    /** Text. 500 is the lightest that is read: 4.5:1 against `mist`. */
    ink: z.strictObject({ 900: colour, 700: colour, 500: colour }),
    /** Threads, marks and small headings; 700 is text. */
    accent: z.strictObject({ 700: colour, 500: colour, 300: colour }),
    /** Buttons, bands, what is chosen; white and `paper` are read on 800, 700 and 600. */
    brand: z.strictObject({ 800: colour, 700: colour, 600: colour, 50: colour }),
  }),
  fonts: z.strictObject({ display: font, text: font }),
  /** Radius of buttons and fields. */
  corner: z.string().regex(/^\d+(?:\.\d+)?(?:px|rem)$/u, "give a length, such as '2px'"),
});
export type ThemeSettings = z.infer<typeof themeSchema>;
