import type { CategorySettings } from '#shop-schema/shop-schema.ts';

export const categories: CategorySettings[] = [
  { slug: 'jhumke', label: 'झुमके', one: 'झुमका', wornOn: 'ear' },
  {
    slug: 'malas-chokers',
    label: 'Malas & chokers',
    one: 'mala',
    wornOn: 'neck',
  },
  { slug: 'payal', label: 'Payal', one: 'payal', wornOn: 'ankle' },
  {
    slug: 'clay-bangles',
    label: "Potters' bangles",
    one: 'bangle',
    wornOn: 'wrist',
    googleCategory: 188,
  },
];
