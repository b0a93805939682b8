import { categories as settings } from '#settings/categories.ts';

/** The slug of a category: 'toe-rings'. A product may have one that the shop has no more (`isOffered`). */
export type Category = string;
/** The categories in the order of the shop's settings. */
export const categories: readonly Category[] = settings.map(({ slug }) => slug);

/** 'toe-rings' → 'Toe rings', as shown to customers. A category that the shop has no more keeps its slug. */
export function categoryLabel(category: Category): string {
  return settings.find(({ slug }) => slug === category)?.label ?? category;
}

/**
 * Whether the shop shows and sells a product to customers. One whose category the shop has no more is not shown; the admin gives
 * it another.
 */
export const isOffered = ({ category }: { category: Category }): boolean =>
  categories.includes(category);
