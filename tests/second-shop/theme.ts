import type { ThemeSettings } from '../shop-schema/theme-schema.ts';

export const theme: ThemeSettings = {
  colors: {
    paper: '#fafafc',
    tile: '#d5d6da',
    mist: '#eceef3',
    line: '#d7dae3',
    edge: '#80869a',
    ink: { 900: '#15161d', 700: '#3d4150', 500: '#595e70' },
    // Oxidised silver, and the plum of a Paithani border.
    accent: { 700: '#565b74', 500: '#8e94ad', 300: '#c9cddd' },
    brand: { 800: '#3d1237', 700: '#571b4e', 600: '#722866', 50: '#f7eef5' },
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
