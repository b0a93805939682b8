import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  countryOf,
  facetNames,
  isImported,
  metalsOf,
  priceRangeOf,
  priceRanges,
  priceValues,
  stonesOf,
} from '#domain/catalogue/listing/facets.ts';
import { sortListed, type ListingFilters } from '#domain/catalogue/listing/listing.ts';
import { categories } from '#domain/catalogue/category.ts';
import { chargedPrice, type Product } from '#domain/catalogue/product.ts';
import { eachRow } from '#tests/each-row.ts';
import { anyListing, anyProduct, listingOf, product } from './catalogue-rows.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

describe('search', () => {
  const shop = listingOf([
    product(),
    product({
      name: 'Chandrika Jimikki',
      category: 'earrings',
      description: 'Bells with seed pearls',
    }),
    product({ name: 'Éclat Band', description: 'Réd enamel' }),
    product({ name: 'Ezhuthu Watch', category: 'watches', description: '' }),
  ]);

  test('finds words in name, description or category, in any case and order, with or without accents', () =>
    eachRow(
      [
        ['ring palakka', ['Palakka Ring']],
        ['GoLd FrAmE', ['Palakka Ring']],
        ['rEd énamel', ['Éclat Band']],
        ['pearl', ['Chandrika Jimikki']],
        ['watches', ['Ezhuthu Watch']],
      ] as const,
      ([search, names]) => {
        expect(shop.names({ search })).toEqual(names);
        expect(shop.run({ search }).corrected).toBeNull();
      },
    ));

  test('for a sale, an offer or a discount finds what is on offer, and never a word that is spelt alike', () => {
    const offers = listingOf([
      product({ name: 'Pale Ring' }),
      product({ name: 'Leaf', offerPrice: 1 }),
    ]);
    for (const search of ['sale', 'Offers', 'discount'])
      expect(offers.names({ search })).toEqual(['Leaf']);
    expect(offers.names({ search: 'leaf offer' })).toEqual(['Leaf']);
    expect(listingOf([product({ name: 'Pale Ring' })]).names({ search: 'sale' })).toEqual([]);
  });

  test('finds nothing for unknown words, and matches special characters literally', () =>
    eachRow(['necklace', 'palakkaring', '.*', 'r.ng$'], (search) => {
      expect(shop.names({ search })).toEqual([]);
    }));

  test('a search of which no product has all words finds those that have most of them, and says which word has none', () =>
    eachRow(
      [
        [
          'palakka xylophone',
          ['Palakka Ring'],
          'We have nothing for “xylophone”. These match “palakka”.',
        ],
        [
          'palakka ring watches',
          ['Palakka Ring'],
          'No product matches “watches” as well. These match “palakka” and “ring”.',
        ],
        [
          'palakka jimikki',
          ['Chandrika Jimikki', 'Palakka Ring'],
          'No product matches all of your words. These match most of them.',
        ],
        ['palakka ring', ['Palakka Ring'], null],
        ['xylophone zither', [], null],
        // Texts have these words in passing.
        ['gold seed', [], null],
      ] as const,
      ([search, names, nearest]) => {
        expect(shop.names({ search })).toEqual(names);
        expect(shop.run({ search }).nearest).toBe(nearest);
      },
    ));

  test('commas and full-width letters are read as people mean them', () =>
    eachRow(['palakka,ring', '(palakka) ring', 'ＰＡＬＡＫＫＡ　ｒｉｎｇ'], (search) => {
      expect(shop.names({ search })).toEqual(['Palakka Ring']);
    }));

  test('one wrong letter is tolerated and the correction is named: another, missing or extra letter, two swapped, or one in an unfinished word', () =>
    eachRow(
      [
        ['jimiki', 'jimikki'],
        ['jmiikki', 'jimikki'],
        ['éclta', 'eclat'],
        ['chamdri', 'chandrika'],
        ['enamul', 'enamel'],
        ['Jimiki  pearls', 'jimikki pearls'],
      ] as const,
      ([search, corrected]) => {
        const result = shop.run({ search });
        expect(result.corrected).toBe(corrected);
        expect(result.found).toHaveLength(1);
      },
    ));

  test('any single wrong letter in a name finds the product', () => {
    const letter = fc.constantFrom('a', 'e', 'h', 'k', 'r', 'z');
    fc.assert(
      fc.property(
        fc.constantFrom('chandrika', 'jimikki', 'ezhuthu', 'palakka', 'watch'),
        fc.nat(),
        letter,
        fc.constantFrom('replace', 'insert', 'leave out', 'swap'),
        (word, at, other, error) => {
          const place = at % (word.length - 1);
          const [before, here, next, after] = [
            word.slice(0, place),
            word.charAt(place),
            word.charAt(place + 1),
            word.slice(place + 2),
          ];
          const typed = {
            replace: before + other + next + after,
            insert: before + other + here + next + after,
            'leave out': before + next + after,
            swap: before + next + here + after,
          }[error];
          const name = shop.index.find((each) => each.name.toLowerCase().includes(word))?.name;
          expect(shop.names({ search: typed })).toContain(name);
        },
      ),
    );
  });

  test('words in other scripts are found', () => {
    expect(listingOf([product({ name: 'കസവ് മാല' })]).names({ search: 'കസവ്' })).toEqual(['കസവ് മാല']);
  });

  test('two wrong letters, one in a word of three, and one in the beginning of a much longer word, are not corrected', () =>
    eachRow(['jomiki', 'rng', 'xyz', 'chnad'], (search) => {
      expect(shop.run({ search })).toMatchObject({ corrected: null, found: [] });
    }));

  test('a correction prefers whole words to beginnings, and names to descriptions', () => {
    const rings = listingOf([
      product({ name: 'Kasu', description: 'Kasumala' }),
      product({ name: 'Mani Vala', description: 'Like a tali, tali, tali', category: 'bracelets' }),
      product({ name: 'Thali', description: '', category: 'necklaces' }),
    ]);
    expect(rings.run({ search: 'kasi' }).corrected).toBe('kasu');
    expect(rings.run({ search: 'tahli' }).corrected).toBe('thali');
  });
});

describe('filters', () => {
  test('a category shows its own products only', () => {
    const shop = listingOf(categories.map((category) => product({ category, name: category })));
    for (const category of categories) expect(shop.names({ category })).toEqual([category]);
  });

  test('every result is what a plain filter over the products gives, in the order of `sortListed`', () => {
    fc.assert(
      fc.property(fc.array(anyProduct, { maxLength: 25 }), anyListing, (given, listing) => {
        const shop = listingOf(given);
        const result = shop.run({ ...listing, search: '' });
        const { sort } = listing;
        const shown = shop.products.filter((each) => fits(each, listing, shop.products));
        const expected =
          sort === 'origin'
            ? byCountry(shown, shop.products)
            : // These products have no reviews.
              sortListed(shown, sort === 'reviewed' ? 'name' : sort);
        expect(result.found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      }),
    );
  });

  test('the count beside a value is how many products it shows as the only chosen one of its facet, and one without a count shows none', () => {
    fc.assert(
      fc.property(fc.array(anyProduct, { maxLength: 25 }), anyListing, (given, listing) => {
        const shop = listingOf(given);
        const { counts } = shop.run(listing);
        const shownBy = (name: string, value: string): number =>
          shop.names({ ...listing, facets: { ...listing.facets, [name]: [value] } }).length;
        for (const name of facetNames) {
          for (const [value, count] of counts[name]) {
            expect(count).toBeGreaterThan(0);
            expect(count).toBe(shownBy(name, value));
          }
        }
        for (const { value } of priceValues)
          if (!counts.price.has(value)) expect(shownBy('price', value)).toBe(0);
      }),
    );
  });
});

/** Where a product comes from; '' when it does not say, and in a shop without imported products. */
const countryIn = (all: readonly Product[], { attributes }: Product): string =>
  all.some((each) => isImported(each.attributes)) ? countryOf(attributes) : '';

/** Sorts by the country's name, products without one last, and by name within a country. */
function byCountry(shown: readonly Product[], all: readonly Product[]): Product[] {
  const key = (each: Product): string => countryIn(all, each) || '\u{ffff}';
  return sortListed(shown, 'name').toSorted(
    (a, b) =>
      Number(a.stock <= 0) - Number(b.stock <= 0) ||
      (key(a) < key(b) ? -1 : Number(key(a) > key(b))),
  );
}

/** The rule in its plainest form: one of the chosen values of every facet. */
function fits(
  each: Product,
  { category, facets }: ListingFilters,
  all: readonly Product[],
): boolean {
  const range = priceRanges[priceRangeOf(chargedPrice(each))]?.value ?? '';
  const own = {
    offers: each.offerPrice === null ? [] : ['yes'],
    size: each.sizes.filter(({ stock }) => stock > 0).map(({ size }) => size),
    metal: metalsOf(each.attributes),
    stone: stonesOf(each.attributes),
    origin: [countryIn(all, each)].filter((country) => country !== ''),
    price: chargedPrice(each) < 150_000 ? [range, '0-1500'] : [range],
    stock: each.stock > 0 ? ['In stock'] : [],
  };
  return (
    (category === 'all' || each.category === category) &&
    facetNames.every(
      (name) =>
        facets[name].length === 0 || facets[name].some((value) => own[name].includes(value)),
    )
  );
}

describe('the admin’s search text', () => {
  test('becomes metals that customers choose by, and says no more than was written', () =>
    eachRow(
      [
        ['Gold-plated brass', ['Gold-plated', 'Brass']],
        ['Rose-gold-plated 925 silver', ['Rose gold-plated', 'Silver']],
        [
          'Gold-plated 925 silver, rhodium-plated setting',
          ['Gold-plated', 'Silver', 'Rhodium-plated'],
        ],
        ['18k gold plated', ['Gold-plated']],
        ['German silver', ['German silver']],
        [undefined, []],
        ['a long story about metals that fit no list at all', []],
      ] as const,
      ([metal, labels]) => {
        expect(metalsOf(metal === undefined ? {} : { metal })).toEqual(labels);
      },
    ));

  test('becomes stones likewise', () =>
    eachRow(
      [
        ['None', []],
        ['Red kemp, green glass and shell pearls', ['Shell pearl', 'Kemp', 'Glass']],
        ['Synthetic ruby', ['Created gems']],
        ['American diamond', ['Cubic zirconia']],
        ['Green palakka and red kemp glass', ['Kemp', 'Palakka']],
        ['Cubic zirconia, mother-of-pearl', ['Cubic zirconia', 'Mother-of-pearl']],
      ] as const,
      ([stone, labels]) => {
        expect(stonesOf({ stone })).toEqual(labels);
      },
    ));

  test('an origin becomes a country, which a shop with imported products lists', () => {
    for (const [origin, country, imported] of [
      ['Thrissur, Kerala, India', 'India', false],
      ['made in India', 'India', false],
      ['Made in  China', 'China', true],
      ['Indiana', 'Indiana', true],
      [undefined, '', false],
    ] as const) {
      const attributes = origin === undefined ? {} : { origin };
      expect([countryOf(attributes), isImported(attributes)]).toEqual([country, imported]);
    }
    const counts = (...origins: string[]) =>
      listingOf(origins.map((origin) => product({ name: origin, attributes: { origin } }))).run({})
        .counts.origin;
    expect([...counts('Kerala, India', 'China')]).toEqual([
      ['China', 1],
      ['India', 1],
    ]);
    expect([...counts('Kerala, India', 'India')]).toEqual([]);
  });

  test('a price is in the range that begins at or below it', () =>
    eachRow(
      [
        [1, 'Under ₹1,000'],
        [99_999, 'Under ₹1,000'],
        [100_000, '₹1,000 to ₹2,000'],
        [9_999_999, '₹50,000 to ₹1,00,000'],
        [10_000_000, '₹1,00,000 and above'],
      ] as const,
      ([paise, label]) => {
        expect(priceRanges[priceRangeOf(paise)]?.label).toBe(label);
      },
    ));
});
