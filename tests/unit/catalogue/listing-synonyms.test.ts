import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { SearchSettings } from '#shop-schema/search-schema.ts';
import type { SortOrder } from '#domain/catalogue/listing/listing.ts';
import { eachRow } from '#tests/each-row.ts';
import { anyProduct, listingOf, product } from './catalogue-rows.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const words: SearchSettings = {
  synonyms: [
    { words: 'ring, mothiram, മോതിരം', within: 'rings' },
    { words: 'earring, kammal, കമ്മൽ, कान की बाली' },
    { words: 'jimikki, jhumka, झुमका' },
    { words: 'bangle, vala, kada', within: 'bracelets' },
    { words: 'pearl, muthu' },
    { words: 'gift, sammanam', finds: 'charm bracelet, pearl stud' },
    { words: 'nose ring, nose pin, mookuthi' },
    { words: 'thali, mangalsutra' },
  ],
  ignored: 'for, size, latest, design',
};

const shop = listingOf(
  [
    product({ name: 'Chandrika Jimikki', category: 'earrings', description: 'Of gold' }),
    product({ name: 'Pearl Studs', category: 'earrings', description: '' }),
    product({ name: 'Vala Hoops', category: 'earrings', description: 'Wound like a bangle' }),
    product({ name: 'Twisted Kada', category: 'bracelets', description: '' }),
    product({
      name: 'Enamel Vala',
      category: 'bracelets',
      description: '',
      attributes: { stone: 'Freshwater pearl', metal: 'Gold-plated brass' },
      sizes: [
        { size: '2.4', stock: 0 },
        { size: '2.6', stock: 1 },
      ],
    }),
    product({ name: 'Charm Bracelet', category: 'bracelets', description: 'Bells that ring' }),
    product({
      name: 'Leaf Band',
      description: '',
      sizes: [
        { size: '12', stock: 2 },
        { size: '14', stock: 0 },
      ],
    }),
    product({
      name: 'Vanki Band',
      description: '',
      sizes: [{ size: '14', stock: 1 }],
      attributes: { stone: 'None' },
    }),
  ],
  words,
);

describe('the shop’s own words', () => {
  test('find what the shop means by them, the word itself first', () =>
    eachRow(
      [
        ['jhumka kammal', ['Chandrika Jimikki']],
        ['कान की बाली', ['Chandrika Jimikki', 'Pearl Studs', 'Vala Hoops']],
        ['kada', ['Twisted Kada', 'Enamel Vala']],
      ] as const,
      ([search, names]) => {
        expect(shop.names({ search })).toEqual(names);
        expect(shop.run({ search }).corrected).toBeNull();
      },
    ));

  test('a product of another category that is named so comes last, and a ring is no earring', () => {
    expect(shop.names({ search: 'bangle' })).toEqual(['Enamel Vala', 'Twisted Kada', 'Vala Hoops']);
    expect(shop.names({ search: 'rings' })).toEqual(['Leaf Band', 'Vanki Band', 'Charm Bracelet']);
  });

  test('of which the shop has no product find nothing, also as a phrase with a word that it has, and are not corrected', () =>
    eachRow(['mookuthi', 'nose ring', 'mookuti'], (search) => {
      expect(shop.run({ search })).toMatchObject({ found: [], corrected: null });
    }));

  test('are completed while they are typed, and corrected', () => {
    expect(shop.names({ search: 'jhu' })).toEqual(['Chandrika Jimikki']);
    expect(shop.names({ search: 'कान की' })).toHaveLength(3);
    expect(shop.run({ search: 'jumka' })).toMatchObject({ corrected: 'jhumka' });
    expect(shop.names({ search: 'jumka' })).toEqual(['Chandrika Jimikki']);
  });
});

test('a word of the table that no name and no fact has is not found in descriptions, which compare', () => {
  const listing = listingOf(
    [product({ name: 'Pearl Studs', description: 'With butterfly clutches' })],
    { synonyms: [{ words: 'butterfly' }] },
  );
  expect(listing.names({ search: 'butterfly' })).toEqual([]);
  expect(listing.names({ search: 'clutches' })).toEqual(['Pearl Studs']);
});

test('a size finds the products that have it, those in stock first, in every order, and a material as the admin wrote it', async () => {
  for (const sort of ['name', 'price-low', 'latest'] satisfies SortOrder[])
    expect(shop.names({ search: 'ring 14', sort })).toEqual(['Vanki Band', 'Leaf Band']);
  await eachRow(
    [
      ['ring size 12', ['Leaf Band']],
      ['bangle 2-6', ['Enamel Vala']],
      ['2/6 bangle', ['Enamel Vala']],
      ['freshwater', ['Enamel Vala']],
      ['none', []],
    ] as const,
    ([search, names]) => {
      expect(shop.names({ search })).toEqual(names);
    },
  );
});

test('each word of a row finds the same products, and more words find no more while a product has them all', () => {
  fc.assert(
    fc.property(
      fc.array(anyProduct, { maxLength: 15 }),
      fc.constantFrom('jimikki', 'mala', 'e', 'gold', 'ring'),
      (given, more) => {
        const listing = listingOf(given, {
          synonyms: [{ words: 'zumka, zumki, സുംക', finds: 'jimikki, muthu' }],
        });
        const found = listing.names({ search: 'zumka' });
        for (const search of ['zumki', 'zumkis', 'സുംക', 'ZUMKA'])
          expect(listing.names({ search })).toEqual(found);
        const { found: both, nearest } = listing.run({ search: `zumka ${more}` });
        if (nearest === null) for (const { name } of both) expect(found).toContain(name);
      },
    ),
  );
});
