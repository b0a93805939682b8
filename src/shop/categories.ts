import type { CategorySettings } from '#shop-schema/shop-schema.ts';

/** In the order of the footer and of home. Their GST is in `tax.ts`, their words in `texts/`. */
export const categories: CategorySettings[] = [
  { slug: 'rings', label: 'Rings', one: 'ring', wornOn: 'finger' },
  { slug: 'necklaces', label: 'Necklaces', one: 'necklace', wornOn: 'neck' },
  { slug: 'bracelets', label: 'Bracelets', one: 'bracelet', wornOn: 'wrist' },
  { slug: 'earrings', label: 'Earrings', one: 'earring', wornOn: 'ear' },
  { slug: 'watches', label: 'Watches', one: 'watch', wornOn: 'watch' },
];
