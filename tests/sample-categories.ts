import type { CategorySettings } from '../src/shop-schema/shop-schema.ts';

/** Categories for tests whose words need certain ones, in place of `src/shop/categories.ts`. */
export const sampleCategories: CategorySettings[] = [
  { slug: 'rings', label: 'Rings', one: 'ring', wornOn: 'finger', googleCategory: 200 },
  { slug: 'necklaces', label: 'Necklaces', one: 'necklace', wornOn: 'neck', googleCategory: 196 },
  { slug: 'bracelets', label: 'Bracelets', one: 'bracelet', wornOn: 'wrist', googleCategory: 191 },
  { slug: 'earrings', label: 'Earrings', one: 'earring', wornOn: 'ear', googleCategory: 194 },
  { slug: 'watches', label: 'Watches', one: 'watch', wornOn: 'watch', googleCategory: 201 },
  { slug: 'toe-rings', label: 'Toe rings', one: 'toe ring', wornOn: 'toe' },
];
