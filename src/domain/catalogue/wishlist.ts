import * as v from '../validate.ts';

/** The most that one wishlist holds, as the database's own limit says (`…_catalogue.sql`): the newest stay. */
export const maxWishlist = 100;
/** Changes that wait for a connection; of more, the latest. */
const maxUnsent = 200;

/** A product that is kept; `at` is when, in milliseconds since 1970. */
export interface WishlistEntry {
  id: string;
  at: number;
}
/** A press on a heart that the account has still to hear of. */
export interface WishlistChange extends WishlistEntry {
  kept: boolean;
}
/** What one owner keeps, newest first. Of a visitor nothing is unsent: there is nobody to send it to. */
export interface Wishlist {
  entries: readonly WishlistEntry[];
  unsent: readonly WishlistChange[];
  /** When the account was last asked, in milliseconds since 1970; 0 for never. */
  readAt: number;
}
/** The lists on this device by their owner: a user's id, or `visitor`. */
export type Wishlists = Readonly<Record<string, Wishlist>>;

/** The owner of what is kept while nobody is signed in. */
export const visitor = '';

const noList: Wishlist = { entries: [], unsent: [], readAt: 0 };

/** What an owner keeps on this device. */
export const wishlistOf = (lists: Wishlists, owner: string): Wishlist => lists[owner] ?? noList;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;
// One that is no id would make the database refuse all of them.
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

/** Reads the lists from storage text. What does not parse is left out, and the rest is as good as it was. */
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

/** What two devices kept, as one list. Of a product on both, the first list says when it was kept. */
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

/** Of several changes of a product only the last one counts. */
const lastOfEach = (changes: readonly WishlistChange[]): WishlistChange[] =>
  [...new Map(changes.map((change) => [change.id, change])).values()].slice(-maxUnsent);

/** The lists after a press on a heart. An owner with an account has it sent there later. */
export function changeWishlist(lists: Wishlists, owner: string, change: WishlistChange): Wishlists {
  const list = wishlistOf(lists, owner);
  // One that is kept anew stands where it did before it was given up: an 'Undo' brings its time with it.
  const entries = withChanges(list.entries, [change]);
  const others = list.unsent.filter(({ id }) => id !== change.id);
  return {
    ...lists,
    [owner]: { ...list, entries, unsent: owner === visitor ? [] : lastOfEach([...others, change]) },
  };
}

/**
 * The lists as they are for whoever is here now. Who signs in takes along what the visitor kept; of other accounts the device
 * forgets all but what could not be sent yet, and that is for nobody's eyes until they sign in again.
 */
export function openWishlists(lists: Wishlists, owner: string): Wishlists {
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

/** The lists after the account took `sent` and answered with `account`: changes made meanwhile stay, and wait for their turn. */
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

/** The lists without products that have left the shop. The account leaves them out by itself. */
export function forgetGone(lists: Wishlists, owner: string, gone: ReadonlySet<string>): Wishlists {
  const list = wishlistOf(lists, owner);
  return {
    ...lists,
    [owner]: { ...list, entries: list.entries.filter(({ id }) => !gone.has(id)) },
  };
}
