import * as v from '#domain/validate.ts';

/** The most that one wishlist holds, the same as the database's limit (`supabase/schemas/features/wishlist.sql`): the newest stay. */
export const maxWishlist = 100;
/** Changes that wait for a connection; of more, the latest. */
const maxUnsent = 200;

/** A product on the wishlist; `at` is when it was added, in milliseconds since 1970. */
export interface WishlistEntry {
  id: string;
  at: number;
}
/** A press on a heart that is not synced to the account yet. */
export interface WishlistChange extends WishlistEntry {
  kept: boolean;
}
/** One owner's wishlist, newest first. A visitor has no unsent changes, because there is no account to sync with. */
export interface Wishlist {
  entries: readonly WishlistEntry[];
  unsent: readonly WishlistChange[];
  /** When the account was last synced, in ms since the epoch; 0 for never. */
  readAt: number;
}
/** The lists on this device by their owner: a user's id, or `visitor`. */
export type Wishlists = Readonly<Record<string, Wishlist>>;

/** The owner of the list while nobody is signed in. */
export const visitor = '';

const noList: Wishlist = { entries: [], unsent: [], readAt: 0 };

/** An owner's list on this device. */
export const wishlistOf = (lists: Wishlists, owner: string): Wishlist => lists[owner] ?? noList;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;
// One invalid id would make the database refuse all of them.
const parseId: v.Validator<string> = (value) => {
  const id = v.string(value);
  if (uuid.test(id)) return id;
  throw new v.ValidationError('Not a product’s id');
};
const parseEntry: v.Validator<WishlistEntry> = v.object({ id: parseId, at: v.nonNegativeInt });
const parseChange: v.Validator<WishlistChange> = v.object({
  id: parseId,
  at: v.nonNegativeInt,
  kept: (value) => value === true,
});
const parseList = v.object({
  entries: v.array((entry) => entry),
  unsent: v.array((entry) => entry),
  readAt: v.nonNegativeInt,
});
const parseLists: v.Validator<Readonly<Record<string, unknown>>> = (value) => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new v.ValidationError('Not an object');
};

/** The values that parse; the others are left out. */
const readable = <T>(values: readonly unknown[], validator: v.Validator<T>): T[] =>
  values.flatMap((value) => {
    try {
      return [validator(value)];
    } catch {
      return [];
    }
  });

/** Newest first, each product once, `maxWishlist` of them. */
function inOrder(entries: readonly WishlistEntry[]): WishlistEntry[] {
  const seen = new Set<string>();
  const newestFirst = [...entries].sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
  return newestFirst.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, maxWishlist);
}

/** Reads the lists from storage text. Skips what does not parse. */
export function parseWishlists(text: string): Wishlists {
  try {
    const lists = Object.entries(parseLists(JSON.parse(text))).flatMap(([owner, value]) =>
      readable([value], parseList).map(
        ({ entries, unsent, readAt }) =>
          [
            owner,
            {
              entries: inOrder(readable(entries, parseEntry)),
              unsent: readable(unsent, parseChange).slice(-maxUnsent),
              readAt,
            },
          ] as const,
      ),
    );
    return Object.fromEntries(lists);
  } catch {
    return {};
  }
}

/** Merges the lists of two devices. For a product on both, the first list's time counts. */
export function uniteWishlists(
  first: readonly WishlistEntry[],
  second: readonly WishlistEntry[],
): WishlistEntry[] {
  const known = new Set(first.map(({ id }) => id));
  return inOrder([...first, ...second.filter(({ id }) => !known.has(id))]);
}

/** A list after these changes. */
function withChanges(
  entries: readonly WishlistEntry[],
  changes: readonly WishlistChange[],
): WishlistEntry[] {
  const dropped = new Set(changes.filter(({ kept }) => !kept).map(({ id }) => id));
  return uniteWishlists(
    entries.filter(({ id }) => !dropped.has(id)),
    changes.filter(({ kept }) => kept).map(({ id, at }) => ({ id, at })),
  );
}

/** Keeps the last change of each product. */
const lastOfEach = (changes: readonly WishlistChange[]): WishlistChange[] =>
  [...new Map(changes.map((change) => [change.id, change])).values()].slice(-maxUnsent);

/** The lists after a press on a heart. An account's change is sent later. */
export function changeWishlist(lists: Wishlists, owner: string, change: WishlistChange): Wishlists {
  const list = wishlistOf(lists, owner);
  // 'Undo' passes the original time, so that the product returns to its place.
  const entries = withChanges(list.entries, [change]);
  const others = list.unsent.filter(({ id }) => id !== change.id);
  return {
    ...lists,
    [owner]: { ...list, entries, unsent: owner === visitor ? [] : lastOfEach([...others, change]) },
  };
}

/**
 * The lists for the current user. Signing in merges the visitor's list. Removes other accounts' lists,
 * except unsynced changes, which stay hidden until that account signs in again.
 */
export function changeOwner(lists: Wishlists, owner: string): Wishlists {
  const others = Object.entries(lists).flatMap(([other, { unsent }]) =>
    other === owner || other === visitor || unsent.length === 0
      ? []
      : [[other, { ...noList, unsent }] as const],
  );
  const own = wishlistOf(lists, owner);
  const brought =
    owner === visitor
      ? []
      : wishlistOf(lists, visitor).entries.map((entry) => ({ ...entry, kept: true }));
  const list = {
    ...own,
    entries: withChanges(own.entries, [...own.unsent, ...brought]),
    unsent: lastOfEach([...own.unsent, ...brought]),
  };
  return {
    ...Object.fromEntries(others),
    ...(list.entries.length + list.unsent.length + list.readAt > 0 ? { [owner]: list } : {}),
  };
}

/** The lists after the account accepted `sent` and returned `account`. Changes made in the meantime stay unsent. */
export function settleWishlist(
  lists: Wishlists,
  owner: string,
  sent: readonly WishlistChange[],
  account: readonly WishlistEntry[],
  readAt: number,
): Wishlists {
  const done = new Set(sent.map((change) => JSON.stringify([change.id, change.at, change.kept])));
  const unsent = wishlistOf(lists, owner).unsent.filter(
    (change) => !done.has(JSON.stringify([change.id, change.at, change.kept])),
  );
  return { ...lists, [owner]: { entries: withChanges(account, unsent), unsent, readAt } };
}

/** The lists without products that have left the shop. The account removes them itself. */
export function forgetGone(lists: Wishlists, owner: string, gone: ReadonlySet<string>): Wishlists {
  const list = wishlistOf(lists, owner);
  return {
    ...lists,
    [owner]: { ...list, entries: list.entries.filter(({ id }) => !gone.has(id)) },
  };
}
