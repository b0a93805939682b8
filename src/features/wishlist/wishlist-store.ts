import { atom, computed } from 'nanostores';
import * as rules from './domain/wishlist.ts';
import { wishlistKey } from './stored-wishlist.ts';
import { exchangeWishlist } from './exchange-wishlist.ts';
import { $session } from '#stores/session.ts';
import { storedAtom } from '#stores/stored-atom.ts';

/** How long (ms) a page other than the wishlist uses the last synced list. */
const freshMs = 5 * 60_000;

/** The wishlists on this device by owner, in local storage, shared by all tabs. */
const $wishlists = storedAtom<rules.Wishlists>(
  wishlistKey,
  {},
  {
    // Removes an empty entry, so that the next page does not load this code.
    encode: (lists) => (Object.keys(lists).length === 0 ? undefined : JSON.stringify(lists)),
    decode: rules.parseWishlists,
  },
);

/** The owner of the shown list: the signed-in customer or the visitor. */
const owner = (): string => {
  const session = $session.get();
  return session.state === 'signed-in' ? session.user.id : rules.visitor;
};

/** The current owner's products, newest first. */
export const $wishlist = computed(
  [$wishlists, $session],
  (lists) => rules.wishlistOf(lists, owner()).entries,
);

/** Whether the list is complete: false until the account's first response on this page. */
export const $wishlistState = atom<'asking' | 'known' | 'unreachable'>('asking');

/** Keeps a product, or gives it up; `at` (milliseconds since 1970) puts it back into the place it had. The account hears of it by itself. */
export function changeWishlist(id: string, kept: boolean, at?: number): void {
  // Orders two presses within one millisecond.
  const now = Math.max(Date.now(), ($wishlist.get()[0]?.at ?? 0) + 1);
  $wishlists.set(rules.changeWishlist($wishlists.get(), owner(), { id, kept, at: at ?? now }));
  void syncWishlist(freshMs);
}

/** Removes products that have left the shop. */
export function forgetGoneWishes(ids: ReadonlySet<string>): void {
  if (ids.size > 0) $wishlists.set(rules.forgetGone($wishlists.get(), owner(), ids));
}

/** Syncs one at a time across tabs, so that a stale response never overwrites a newer change. */
const inTurn = async (work: () => Promise<void>): Promise<void> => {
  // Missing in old browsers and on pages without HTTPS.
  const locks = (navigator as Partial<Navigator>).locks;
  await (locks ? locks.request(wishlistKey, work) : work());
};

/**
 * Sends unsynced changes to the account and merges what other devices changed, unless it was synced in the last
 * `fresh` ms. Changes that cannot be sent wait for the next page, so no error is shown.
 */
export async function syncWishlist(fresh = 0): Promise<void> {
  await inTurn(async () => {
    const userId = owner();
    const { unsent, readAt } = rules.wishlistOf($wishlists.get(), userId);
    if (userId === rules.visitor || (unsent.length === 0 && Date.now() - readAt < fresh)) {
      $wishlistState.set('known');
      return;
    }
    try {
      const account = await exchangeWishlist(userId, unsent);
      if (owner() !== userId) return;
      $wishlists.set(rules.settleWishlist($wishlists.get(), userId, unsent, account, Date.now()));
      $wishlistState.set('known');
    } catch (error) {
      console.info('The wishlist waits', error);
      $wishlistState.set('unreachable');
    }
  });
}

/** Follows the session: shows the current user's list and syncs it. Returns a function that stops it. */
export function followWishlist(): () => void {
  let known: string | undefined;
  return $session.subscribe(({ state }) => {
    if (state === 'loading' || owner() === known) return;
    known = owner();
    const [before, after] = [$wishlists.get(), rules.changeOwner($wishlists.get(), known)];
    if (JSON.stringify(after) !== JSON.stringify(before)) $wishlists.set(after);
    void syncWishlist(freshMs);
  });
}
