import {
  addRecentlyViewed,
  parseRecentlyViewed,
  type RecentlyViewedProduct,
} from './domain/recently-viewed.ts';
import { safeStorage, localStorageOrNull } from '../../services/storage/safe-storage.ts';

const key = 'kasavu:seen';
const blocked = localStorageOrNull();
const storage = blocked ? safeStorage(blocked) : {};

/** The products whose pages were opened on this device, newest first. */
export const recentlyViewedProducts = (): RecentlyViewedProduct[] =>
  parseRecentlyViewed(storage[key]);

/** Records a product as the last one viewed. */
export function recordView(product: RecentlyViewedProduct): void {
  storage[key] = JSON.stringify(addRecentlyViewed(recentlyViewedProducts(), product));
}

/** Removes products that have left the shop. */
export function removeRecentlyViewed(ids: ReadonlySet<string>): void {
  storage[key] = JSON.stringify(recentlyViewedProducts().filter(({ id }) => !ids.has(id)));
}
