import type { ThemeSettings } from '#shop-schema/theme-schema.ts';

/** The look: colours and type. The logo is `logo.svg`, icons and pictures are in `public/`. */
export const theme: ThemeSettings = {
  colors: {
    paper: '#fcfbf8',
    tile: '#dad6cf',
    mist: '#f3f0ea',
    line: '#e2dcd0',
    edge: '#8d8677',
    ink: { 900: '#1c1a16', 700: '#474239', 500: '#6a6458' },
    // The gold of the thread, the green of the palakka.
    accent: { 700: '#7a5b1e', 500: '#b08c3d', 300: '#dcc68f' },
    brand: { 800: '#0a3a29', 700: '#0e4a35', 600: '#17634a', 50: '#edf3ef' },
  },
  fonts: {
    display: {
      family: 'Shop Display',
      file: '/fonts/shop-display-1.woff2',
      fallback: 'Georgia, serif',
    },
    text: { family: 'Figtree', file: '/fonts/figtree-1.woff2', fallback: 'Arial, sans-serif' },
  },
  corner: '2px',
};
