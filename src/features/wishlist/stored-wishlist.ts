import { readStoredSession } from '../../services/storage/stored-session.ts';
import { localStorageOrNull } from '../../services/storage/safe-storage.ts';

/** The wishlist's key in local storage. */
export const wishlistKey = 'kasavu:wishlist';

/** Whether the wishlist may have entries: only then is its code loaded. */
export const mayHaveWishlist = (): boolean =>
  (readStoredSession() ?? localStorageOrNull()?.getItem(wishlistKey)) != null;
