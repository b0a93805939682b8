import type { CategorySettings } from '../shop-schema/shop-schema.ts';

export const categories: CategorySettings[] = [
  { slug: 'anklets', label: 'Anklets', one: 'anklet', wornOn: 'ankle' },
  { slug: 'toe-rings', label: 'Toe rings', one: 'toe ring', wornOn: 'toe' },
  { slug: 'necklaces', label: 'Necklaces', one: 'necklace', wornOn: 'neck' },
  { slug: 'earrings', label: 'Earrings', one: 'earring', wornOn: 'ear' },
  { slug: 'rings', label: 'Rings', one: 'ring', wornOn: 'finger' },
];
