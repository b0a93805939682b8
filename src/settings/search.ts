import { search as own } from '#shop/search.ts';
import type { SearchSettings } from '#shop-schema/search-schema.ts';

/** What customers call the products. The build writes it into a file that only a search fetches, so no script imports it. */
export const search: SearchSettings = own;
