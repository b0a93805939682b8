import {
  addRecentlyViewed,
  parseRecentlyViewed,
  type RecentlyViewedProduct,
} from './domain/recently-viewed.ts';
import { localTexts } from '#services/storage/browser-storage.ts';

const key = 'kasavu:seen';

/** The products whose pages were opened on this device, newest first. */
export const recentlyViewedProducts = (): RecentlyViewedProduct[] =>
  parseRecentlyViewed(localTexts.getItem(key) ?? undefined);

/** Records a product as the last one viewed. */
export function recordView(product: RecentlyViewedProduct): void {
  localTexts.setItem(key, JSON.stringify(addRecentlyViewed(recentlyViewedProducts(), product)));
}

/** Removes products that have left the shop. */
export function removeRecentlyViewed(ids: ReadonlySet<string>): void {
  const kept = recentlyViewedProducts().filter(({ id }) => !ids.has(id));
  localTexts.setItem(key, JSON.stringify(kept));
}
