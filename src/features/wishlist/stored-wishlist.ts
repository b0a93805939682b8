import { readStoredSession } from '#services/storage/stored-session.ts';
import { localTexts } from '#services/storage/browser-storage.ts';

/** The wishlist's key in local storage. */
export const wishlistKey = 'kasavu:wishlist';

/** Whether the wishlist may have entries: only then is its code loaded. */
export const mayHaveWishlist = (): boolean =>
  (readStoredSession() ?? localTexts.getItem(wishlistKey)) !== null;
