import { categories } from '#settings/categories.ts';
import type { CategorySettings } from '#shop-schema/shop-schema.ts';

/** The shop's category in which the tests' catalogue (`tests/catalogue`) has its rings (0), necklaces, bracelets, earrings and watches (4). */
export function shopCategory(place: 0 | 1 | 2 | 3 | 4): CategorySettings {
  const found = categories[place % categories.length];
  if (found === undefined) throw new Error('The shop has no categories');
  return found;
}
