import type { CategorySettings } from '../shop-schema/shop-schema.ts';

/** In the order of the footer and of home. Their GST is in `tax.ts`, their words in `texts/`. */
export const categories: CategorySettings[] = [
  { slug: 'rings', label: 'Rings', one: 'ring', wornOn: 'finger', googleCategory: 200 },
  { slug: 'necklaces', label: 'Necklaces', one: 'necklace', wornOn: 'neck', googleCategory: 196 },
  { slug: 'bracelets', label: 'Bracelets', one: 'bracelet', wornOn: 'wrist', googleCategory: 191 },
  { slug: 'earrings', label: 'Earrings', one: 'earring', wornOn: 'ear', googleCategory: 194 },
  { slug: 'watches', label: 'Watches', one: 'watch', wornOn: 'watch', googleCategory: 201 },
];
