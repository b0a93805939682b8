import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  changedPrice,
  editProducts,
  priceChangeFromText,
  type PriceChange,
} from './several-edits.ts';
import { saveProducts } from '#services/admin/catalogue/several-products.ts';
import { bulkEditsApi } from './bulk-edits-api.ts';
import { adminProduct } from '#tests/unit/admin/admin-product.ts';
import { eachRow } from '#tests/each-row.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const ring = adminProduct({ name: 'Ring', offerPrice: 89_900 });
const percent = (basisPoints: number): PriceChange => ({ by: 'percent', basisPoints });

test('a price changes by a share or an amount, to whole rupees', () =>
  eachRow<[number, PriceChange, number]>(
    [
      [99_900, percent(1_000), 109_900],
      [99_900, percent(-1_250), 87_400],
      [49_950, { by: 'amount', paise: 5_000 }, 55_000],
      [100_000_000, percent(100_000), 1_100_000_000],
    ],
    ([price, change, expected]) => {
      expect(changedPrice(price, change)).toBe(expected);
    },
  ));

test('every price is whole rupees and no more than half a rupee from the exact one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.integer({ min: -10_000, max: 100_000 }),
      (price, basisPoints) => {
        const after = changedPrice(price, percent(basisPoints));
        expect(
          after % 100 === 0 &&
            Math.abs(after * 10_000 - price * (10_000 + basisPoints)) <= 50 * 10_000,
        ).toBe(true);
      },
    ),
  );
});

test('a change is read as it is typed, and nothing else is', () =>
  eachRow<[PriceChange['by'], 'up' | 'down', string, PriceChange | null]>(
    [
      ['percent', 'up', '10', percent(1_000)],
      ['percent', 'down', '12.5 %', percent(-1_250)],
      ['amount', 'down', '₹1,000', { by: 'amount', paise: -100_000 }],
      ['percent', 'down', '101', null],
      ['amount', 'up', '0', null],
      ['percent', 'up', '-5', null],
    ],
    ([by, direction, text, change]) => {
      expect(priceChangeFromText(by, direction, text)).toEqual(change);
    },
  ));

test('an edit keeps the other fields of a product, omits unchanged values, and reports invalid ones', () => {
  const hidden = { ...ring, id: 'b', hidden: true };
  const { edited } = editProducts([ring, hidden], { hidden: true });
  const {
    id,
    updatedAt: _at,
    createdAt: _made,
    deletedAt: _deleted,
    unpublished: _waits,
    ...fields
  } = ring;
  expect(edited).toEqual([
    {
      id,
      product: { ...fields, hidden: true },
      seen: { updatedAt: ring.updatedAt, stock: 5, sizes: [] },
      before: ring,
    },
  ]);
  expect(editProducts([ring], { price: percent(1_000) }).edited[0]?.product).toMatchObject({
    price: 109_900,
    offerPrice: 98_900,
  });
  expect(editProducts([ring], { category: 'earrings' }).edited[0]?.product).toMatchObject({
    category: 'earrings',
    stock: 5,
  });
  const cheap = { ...ring, name: 'Pin', price: 10_000, offerPrice: 9_980 };
  expect(editProducts([cheap, ring], { price: { by: 'amount', paise: -95_000 } })).toMatchObject({
    edited: [],
    faults: [{ name: 'Pin' }, { name: 'Ring', message: 'Offer price must be more than ₹0' }],
  });
  expect(editProducts([cheap], { price: { by: 'amount', paise: -10 } })).toMatchObject({
    edited: [],
    faults: [{ name: 'Pin', message: 'The offer must be below the price' }],
  });
});

test('a ring that says no size is not brought into the shop with others, and keeps its price edits', () => {
  const hidden = adminProduct({ name: 'Hidden ring', hidden: true });
  const sized = adminProduct({
    name: 'Sized ring',
    hidden: true,
    attributes: { size: 'Adjustable' },
  });
  const chain = adminProduct({ name: 'Chain', category: 'necklaces' });
  const shown = editProducts([hidden, sized], { hidden: false });
  expect(shown.edited.map(({ before }) => before.name)).toEqual(['Sized ring']);
  expect(shown.faults).toEqual([
    { name: 'Hidden ring', message: expect.stringContaining('which size it is') as string },
  ]);
  expect(editProducts([chain], { category: 'rings' }).faults).toHaveLength(1);
  expect(editProducts([ring], { price: percent(1_000) }).edited).toHaveLength(1);
  expect(editProducts([ring], { hidden: true }).edited).toHaveLength(1);
});

test('more products than one request takes are refused before they are sent, with how many go at once', async () => {
  const fetched = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', fetched);
  const save = async (count: number, description: string) => {
    const products = Array.from({ length: count }, (_, at) =>
      adminProduct({ id: crypto.randomUUID(), name: `Ring ${String(at)}`, description }),
    );
    return saveProducts(editProducts(products, { hidden: true }).edited);
  };
  await expect(save(2_001, '')).rejects.toThrow(
    'At most 2,000 products can be changed at once. Nothing was changed: choose fewer, then the others.',
  );
  await expect(save(1_500, 'ആഭരണം '.repeat(200))).rejects.toThrow(/^At most 1,4\d\d products/u);
  expect(fetched).not.toHaveBeenCalled();
  const ids = Array.from({ length: 2_001 }, () => crypto.randomUUID());
  expect(bulkEditsApi.remove.body.safeParse({ ids }).error?.issues[0]?.message).toMatch(
    /^At most 2,000 products/u,
  );
});
