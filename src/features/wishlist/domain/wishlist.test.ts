import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changeWishlist,
  forgetGone,
  maxWishlist,
  changeOwner,
  parseWishlists,
  settleWishlist,
  uniteWishlists,
  visitor,
  wishlistOf,
  type WishlistEntry,
  type Wishlists,
} from './wishlist.ts';
import { eachRow } from '#tests/each-row.ts';

const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
const entry = (number: number, at = number): WishlistEntry => ({ id: idOf(number), at });
const idsOf = (entries: readonly WishlistEntry[]): string[] => entries.map(({ id }) => id);
/** The lists after presses on hearts, one each millisecond. */
const press = (
  lists: Wishlists,
  owner: string,
  ...presses: readonly (readonly [number: number, kept: boolean])[]
): Wishlists =>
  presses.reduce(
    (now, [number, kept], index) =>
      changeWishlist(now, owner, { id: idOf(number), kept, at: 1_000 + index }),
    lists,
  );

const anyEntries = fc
  .uniqueArray(fc.tuple(fc.nat(300), fc.nat(5_000)), {
    maxLength: 130,
    selector: ([number]) => number,
  })
  .map((pairs) => pairs.map(([number, at]) => entry(number, at)));
const [asha, gita] = ['asha', 'gita'];

describe('a wishlist', () => {
  test('has the newest first, each product once, and loses what is given up', () => {
    const lists = press({}, visitor, [1, true], [2, true], [3, true], [1, true], [2, false]);
    expect(idsOf(wishlistOf(lists, visitor).entries)).toEqual([idOf(3), idOf(1)]);
    expect(wishlistOf(lists, visitor).unsent).toEqual([]);
    const undone = changeWishlist(lists, visitor, { id: idOf(2), kept: true, at: 1_001 });
    expect(idsOf(wishlistOf(undone, visitor).entries), 'back in its place').toEqual([
      idOf(3),
      idOf(2),
      idOf(1),
    ]);
  });

  test('holds a hundred: the oldest makes way', () => {
    const lists = Array.from({ length: maxWishlist + 3 }, (_, number) => number).reduce<Wishlists>(
      (now, number) => changeWishlist(now, visitor, { ...entry(number), kept: true }),
      {},
    );
    const { entries } = wishlistOf(lists, visitor);
    expect(entries).toHaveLength(maxWishlist);
    expect([entries[0], entries.at(-1)]).toEqual([entry(102), entry(3)]);
  });

  test('drops deleted products, and sends nothing for them', () => {
    const lists = forgetGone(press({}, asha, [1, true], [2, true]), asha, new Set([idOf(1)]));
    expect(idsOf(wishlistOf(lists, asha).entries)).toEqual([idOf(2)]);
    expect(wishlistOf(lists, asha).unsent).toHaveLength(2);
  });

  test('is read as it was written; what does not parse is left out and takes nothing with it', () => {
    const lists = press(press({}, visitor, [1, true]), asha, [2, true], [3, false]);
    expect(parseWishlists(JSON.stringify(lists))).toEqual(lists);
    const list = {
      entries: [
        entry(5),
        { id: 'ring', at: 1 },
        { id: idOf(6) },
        null,
        entry(5),
        { ...entry(7), at: -1 },
        entry(8),
      ],
      unsent: ['x', { ...entry(5), kept: true }],
      readAt: 3,
    };
    expect(
      parseWishlists(JSON.stringify({ [asha]: list, broken: { entries: 1 }, none: null })),
    ).toEqual({
      [asha]: { entries: [entry(8), entry(5)], unsent: [{ ...entry(5), kept: true }], readAt: 3 },
    });
  });

  test('from a text that is missing or foreign is empty', () =>
    eachRow(['', 'null', '[]', '7', '"a"', '{{', '[{"id":1}]'], (text) => {
      expect(parseWishlists(text)).toEqual({});
    }));
});

describe('two lists as one', () => {
  test('lose nothing below the limit, keep the newest above it, and are the same when united again', () => {
    fc.assert(
      fc.property(anyEntries, anyEntries, (first, second) => {
        const united = uniteWishlists(first, second);
        const all = new Set([...idsOf(first), ...idsOf(second)]);
        expect(united).toHaveLength(Math.min(all.size, maxWishlist));
        expect(new Set(idsOf(united)).size).toBe(united.length);
        expect(united.map(({ at }) => at)).toEqual(
          united.map(({ at }) => at).sort((a, b) => b - a),
        );
        if (all.size <= maxWishlist) expect(new Set(idsOf(united))).toEqual(all);
        expect(uniteWishlists(united, united)).toEqual(united);
      }),
    );
  });
});

describe('at login', () => {
  test("the visitor's wishlist joins the account’s list and is sent once", () => {
    const before = press(press({}, asha, [1, true]), visitor, [2, true], [3, true]);
    const after = changeOwner(before, asha);
    expect(Object.keys(after)).toEqual([asha]);
    expect(new Set(idsOf(wishlistOf(after, asha).entries))).toEqual(
      new Set([idOf(1), idOf(2), idOf(3)]),
    );
    expect(wishlistOf(after, asha).unsent).toHaveLength(3);
    expect(changeOwner(after, asha)).toEqual(after);
  });
});

describe('at logout', () => {
  test('the device shows nothing of the account; what was not sent waits for its next login, unseen by others', () => {
    const sent = settleWishlist(
      press({}, asha, [1, true]),
      asha,
      [{ ...entry(1, 1_000), kept: true }],
      [entry(1)],
      5,
    );
    expect(changeOwner(sent, visitor)).toEqual({});
    const unsent = press(sent, asha, [2, true], [1, false]);
    const out = changeOwner(unsent, visitor);
    expect([wishlistOf(out, visitor).entries, wishlistOf(out, asha).entries]).toEqual([[], []]);
    const other = changeOwner(press(out, visitor, [9, true]), gita);
    expect(idsOf(wishlistOf(other, gita).entries)).toEqual([idOf(9)]);
    const back = changeOwner(other, asha);
    expect(idsOf(wishlistOf(back, asha).entries)).toEqual([idOf(2)]);
    expect(wishlistOf(back, asha).unsent).toEqual(wishlistOf(unsent, asha).unsent);
  });
});

describe('an answer of the account', () => {
  test('is the list, with what was pressed meanwhile', () => {
    const before = press({}, asha, [1, true], [2, true]);
    const sent = wishlistOf(before, asha).unsent;
    const meanwhile = press(before, asha, [3, true], [1, false]);
    const after = wishlistOf(
      settleWishlist(meanwhile, asha, sent, [entry(7), entry(1), entry(2)], 9),
      asha,
    );
    expect(idsOf(after.entries)).toEqual([idOf(3), idOf(7), idOf(2)]);
    expect(after.unsent.map(({ id, kept }) => [id, kept])).toEqual([
      [idOf(3), true],
      [idOf(1), false],
    ]);
    expect(after.readAt).toBe(9);
  });
});
