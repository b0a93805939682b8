import { categories as own } from '../shop/categories.ts';
import type { CategorySettings } from './shop-settings.ts';

/** In the order of the footer and of home. */
export const categories: readonly CategorySettings[] = own;
