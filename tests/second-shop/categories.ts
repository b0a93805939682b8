import type { CategorySettings } from '../shop-schema/shop-schema.ts';

export const categories: CategorySettings[] = [
  { slug: 'jhumke', label: 'झुमके', one: 'झुमका', wornOn: 'ear', googleCategory: 194 },
  {
    slug: 'malas-chokers',
    label: 'Malas & chokers',
    one: 'mala',
    wornOn: 'neck',
    googleCategory: 196,
  },
  { slug: 'payal', label: 'Payal', one: 'payal', wornOn: 'ankle', googleCategory: 189 },
  {
    slug: 'clay-bangles',
    label: "Potters' bangles",
    one: 'bangle',
    wornOn: 'wrist',
    googleCategory: 191,
  },
];
