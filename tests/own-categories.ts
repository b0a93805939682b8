import { categories } from '#shop/categories.ts';

/**
 * The categories of the shop under test, which a build of the site has. Vitest runs the file of the settings again for each test
 * file of a worker, and this one once, before the first: `sample-settings.ts` imports it.
 */
export const ownCategories: readonly string[] = categories.map(({ slug }) => slug);
