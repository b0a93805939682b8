import type { ThemeSettings } from '#shop-schema/theme-schema.ts';

export const theme: ThemeSettings = {
  colors: {
    paper: '#fdfaf6',
    tile: '#ddd3c9',
    mist: '#f4ede5',
    line: '#e4d7c9',
    edge: '#8f8073',
    ink: { 900: '#201713', 700: '#4b3d35', 500: '#66564c' },
    // Fired clay, and the indigo of Bagru.
    accent: { 700: '#3d4f7c', 500: '#6d7fae', 300: '#c3cce3' },
    brand: { 800: '#5e2712', 700: '#7e3519', 600: '#a0431f', 50: '#f9f0ec' },
  },
  fonts: {
    display: {
      family: 'Marcellus',
      file: '/fonts/marcellus-1.woff2',
      fallback: 'Palatino, serif',
    },
    text: { family: 'Karla', file: '/fonts/karla-1.woff2', fallback: 'Verdana, sans-serif' },
  },
  corner: '10px',
};
