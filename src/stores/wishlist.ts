import { persistentAtom } from '@nanostores/persistent';
import { atom, computed } from 'nanostores';
import * as rules from '../domain/catalogue/wishlist.ts';
import { wishlistKey } from '../services/storage/stored-wishlist.ts';
import { exchangeWishlist } from '../services/wishlist.ts';
// Sets where persistent stores are kept.
import './cart.ts';
import { $session } from './session.ts';

/** So long a page trusts what the account said, unless it is the wishlist's own. */
const freshMs = 5 * 60_000;

/** The wishlists of this device by their owner, in local storage, shared by all tabs at once. */
const $wishlists = persistentAtom<rules.Wishlists>(
  wishlistKey,
  {},
  {
    // Of nothing no trace: the next page then does not fetch this code.
    encode: (lists) => (Object.keys(lists).length === 0 ? undefined : JSON.stringify(lists)),
    decode: rules.parseWishlists,
  },
);

/** Whose list is shown: the signed-in shopper's or the visitor's. */
const owner = (): string => {
  const session = $session.get();
  return session.state === 'signed-in' ? session.user.id : rules.visitor;
};

/** What whoever is here keeps, newest first. */
export const $wishlist = computed(
  [$wishlists, $session],
  (lists) => rules.wishlistOf(lists, owner()).entries,
);

/** Whether the list is all that its owner keeps: not before the account has answered for the first time on this page. */
export const $wishlistState = atom<'asking' | 'known' | 'unreachable'>('asking');

/** Keeps a product, or gives it up; `at` (milliseconds since 1970) puts it back into the place it had. The account hears of it by itself. */
export function changeWishlist(id: string, kept: boolean, at?: number): void {
  // Two presses of one millisecond have an order, too.
  const now = Math.max(Date.now(), ($wishlist.get()[0]?.at ?? 0) + 1);
  $wishlists.set(rules.changeWishlist($wishlists.get(), owner(), { id, kept, at: at ?? now }));
  void syncWishlist(freshMs);
}

/** Forgets products that are in the shop no longer. */
export function forgetGoneWishes(ids: ReadonlySet<string>): void {
  if (ids.size > 0) $wishlists.set(rules.forgetGone($wishlists.get(), owner(), ids));
}

/** One after the other, in all tabs: an answer from before a change must not come after it. */
const inTurn = async (work: () => Promise<void>): Promise<void> => {
  // Unknown to old browsers, and where the page is not served encrypted.
  const locks = (navigator as Partial<Navigator>).locks;
  await (locks ? locks.request(wishlistKey, work) : work());
};

/**
 * Sends the account what it has not heard of, and takes over what it knows from other devices, if it was not asked in the last
 * `fresh` milliseconds. What cannot be sent waits for the next page: nobody is told, for nothing is lost.
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
      console.info('The wishlist waits for the next page', error);
      $wishlistState.set('unreachable');
    }
  });
}

/** Follows who is here from now on: the lists are theirs alone, and as the account has them. Returns a function that stops it. */
export function followWishlist(): () => void {
  let known: string | undefined;
  return $session.subscribe(({ state }) => {
    if (state === 'loading' || owner() === known) return;
    known = owner();
    const [before, after] = [$wishlists.get(), rules.openWishlists($wishlists.get(), known)];
    if (JSON.stringify(after) !== JSON.stringify(before)) $wishlists.set(after);
    void syncWishlist(freshMs);
  });
}
