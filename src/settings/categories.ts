import { categories as own } from '#shop/categories.ts';
import type { CategorySettings } from '#shop-schema/shop-schema.ts';

/** The categories in the order of the footer and of home. */
export const categories: readonly CategorySettings[] = own;
