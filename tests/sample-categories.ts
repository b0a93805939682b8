import type { CategorySettings } from '#shop-schema/shop-schema.ts';

/** Categories for tests whose words need certain ones, in place of `src/shop/categories.ts`. */
export const sampleCategories: CategorySettings[] = [
  { slug: 'rings', label: 'Rings', one: 'ring', wornOn: 'finger' },
  { slug: 'necklaces', label: 'Necklaces', one: 'necklace', wornOn: 'neck' },
  { slug: 'bracelets', label: 'Bracelets', one: 'bracelet', wornOn: 'wrist' },
  { slug: 'earrings', label: 'Earrings', one: 'earring', wornOn: 'ear' },
  { slug: 'watches', label: 'Watches', one: 'watch', wornOn: 'watch' },
  { slug: 'toe-rings', label: 'Toe rings', one: 'toe ring', wornOn: 'toe', googleCategory: 190 },
];
