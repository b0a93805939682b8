import { theme } from './src/shop/theme.ts';

const { colors, corner, fonts } = theme;

/** Quarter rems: `p-4` is 1rem. */
const spacing = Object.fromEntries(
  [
    0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 32,
    36, 40, 48, 56, 64, 72, 80, 96,
  ].map((step) => [String(step), `${String(step / 4)}rem`]),
);

/** @param {import('./src/shop-schema/theme-schema.ts').FontSettings} font */
const familiesOf = ({ family, fallback }) => [
  `"${family}"`,
  `"${family} Fallback"`,
  ...fallback.split(/, */u),
];

/**
 * The tokens of the look: those of the shop from `src/shop/theme.ts`, the others here. `src/styles` and the markup use
 * them by name, pages and mails of functions by `netlify/core/platform/http/page.ts`.
 * @satisfies {import('tailwindcss').Config}
 */
export default {
  theme: {
    spacing: {
      ...spacing,
      px: '1px',
      /** The edges of the page. */
      gutter: 'clamp(1.125rem, 4vw, 4rem)',
      /** Above and below a section of a page, and above the footer. */
      section: 'clamp(3.5rem, 8vw, 7rem)',
      band: 'clamp(4rem, 9vw, 8rem)',
      /** The header's row on a phone. */
      header: '4.25rem',
    },
    colors: {
      transparent: 'transparent',
      current: 'currentColor',
      white: '#ffffff',
      ...colors,
      danger: { 700: '#98231c', 50: '#fbefed' },
      amber: { 700: '#7a4b00', 50: '#fbf3df' },
    },
    fontFamily: {
      display: familiesOf(fonts.display),
      text: familiesOf(fonts.text),
    },
    fontSize: {
      xs: ['0.8125rem', { lineHeight: '1.4' }],
      sm: ['0.9375rem', { lineHeight: '1.55' }],
      base: ['1.0625rem', { lineHeight: '1.65' }],
      lg: ['1.1875rem', { lineHeight: '1.6' }],
      xl: ['1.375rem', { lineHeight: '1.35' }],
      '2xl': ['clamp(1.5rem, 1.3rem + 0.8vw, 1.875rem)', { lineHeight: '1.25' }],
      '3xl': ['clamp(1.875rem, 1.5rem + 1.7vw, 2.75rem)', { lineHeight: '1.18' }],
      '4xl': ['clamp(2.5rem, 1.7rem + 3.6vw, 4.5rem)', { lineHeight: '1.06' }],
    },
    fontWeight: { normal: '400', medium: '500', semibold: '600' },
    lineHeight: { none: '1', tight: '1.2', snug: '1.35', normal: '1.5', relaxed: '1.65' },
    letterSpacing: { normal: '0', wide: '0.04em', wider: '0.12em', widest: '0.28em' },
    borderRadius: { none: '0', sm: corner, full: '9999px' },
    boxShadow: { none: 'none', lift: '0 12px 40px -12px rgb(28 26 22 / 0.22)' },
    /** `split`: a large picture and its words stand side by side. */
    screens: { sm: '600px', md: '768px', split: '900px', lg: '1024px', xl: '1280px' },
    maxWidth: {
      ...spacing,
      narrow: '30rem',
      text: '42rem',
      page: '90rem',
      sm: '24rem',
      md: '28rem',
      lg: '32rem',
      xl: '36rem',
      '2xl': '42rem',
      '3xl': '48rem',
      '4xl': '56rem',
      none: 'none',
      full: '100%',
    },
  },
};
