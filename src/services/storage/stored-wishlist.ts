import { readStoredSession } from '../auth/stored-session.ts';
import { localStorageOrNull } from './safe-storage.ts';

/** Where the wishlist is kept in local storage. */
export const wishlistKey = 'kasavu:wishlist';

/** Whether somebody here may keep something: only then is it worth to fetch the code that shows it. */
export const mayHaveWishlist = (): boolean =>
  (readStoredSession() ?? localStorageOrNull()?.getItem(wishlistKey)) != null;
