import { expect, test } from 'vitest';
import { loadDemoCatalogue } from '#local/demo/products.ts';
import { productFromRow } from '#domain/catalogue/product-row.ts';
import { search } from '#settings/search.ts';
import { supportEmail } from '#settings/shop.ts';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { categories } from '#domain/catalogue/category.ts';
import { seller } from '#settings/seller.ts';
import { searchAnswers } from '#domain/texts/search-answers.ts';
import { listingOf, product } from './catalogue-rows.ts';

/*
 * What customers of Indian jewellers type, and what this shop has to show for it: how many products, and which come first. The words are
 * those of the menus and filters of three jewellers, a national one, one that sells online, and one of Kerala, and of customers' spelling.
 */
const rows: readonly (readonly [typed: string, count: number, ...first: string[]])[] = [
  // Kinds, in Hindi and Malayalam, in Latin letters and in their own.
  ['jhumka', 1, 'Chandrika Jimikki'],
  ['jhumki', 1, 'Chandrika Jimikki'],
  ['jimmiki', 1, 'Chandrika Jimikki'],
  ['ജിമിക്കി കമ്മൽ', 1, 'Chandrika Jimikki'],
  ['झुमके', 1, 'Chandrika Jimikki'],
  ['kammal', 7, 'Chandrika Jimikki', 'Ezhukallu Thodu'],
  ['കമ്മലുകൾ', 7, 'Chandrika Jimikki', 'Ezhukallu Thodu'],
  ['ear rings', 7, 'Chandrika Jimikki'],
  ['tops', 3, 'Ezhukallu Thodu', 'Mullamottu Pearl Studs', 'Palakka Fan Studs'],
  ['bali', 1, 'Vala Twist Hoops'],
  ['haar', 6, 'Mullamottu Mala', 'Muthu Mala, Two Strands', 'Nagapadam Mala'],
  ['മാല', 6, 'Mullamottu Mala'],
  ['हार', 6, 'Mullamottu Mala'],
  ['locket', 1, 'Thamara Lotus Pendant'],
  ['kada', 4, 'Piriyan Twisted Kada'],
  ['bangles', 5, 'Moonu Vala Bangle Set', 'Kasavu Enamel Vala', 'Piriyan Twisted Kada'],
  ['kangan', 4, 'Kasavu Enamel Vala'],
  ['വള', 4, 'Kasavu Enamel Vala', 'Moonu Vala Bangle Set'],
  ['चूड़ियाँ', 4, 'Kasavu Enamel Vala'],
  ['angoothi', 7, 'Mangalyam Couple Bands'],
  ['മോതിരം', 7, 'Mangalyam Couple Bands'],
  ['ladies watch', 5, 'Ezhuthu Dress Watch'],
  ['gents watch', 3, 'Ezhuthu Dress Watch', 'Kayal Chronograph', 'Tharavadu Dress Watch'],

  // Forms of Kerala.
  ['kasumala', 1, 'Ponkasu Mala'],
  ['palakka mala', 2, 'Palakka Mala'],
  ['പാലയ്ക്കാ മാല', 1, 'Palakka Mala'],
  ['mulla mottu mala', 1, 'Mullamottu Mala'],
  ['nagapada thali', 1, 'Nagapadam Mala'],
  ['navratna', 1, 'Navaratna Bracelet'],
  ['thodu', 3, 'Ezhukallu Thodu'],

  // Materials, sizes, occasions.
  ['pearls', 9, 'Mullamottu Pearl Studs'],
  ['moti earrings', 3, 'Manga Muthu Earrings', 'Mullamottu Pearl Studs', 'Chandrika Jimikki'],
  ['cz ring', 3, 'Nakshatra Solitaire Ring', 'Vanki Mothiram'],
  ['american diamond earrings', 2, 'Ezhukallu Thodu'],
  ['1 gram gold bangles', 5, 'Moonu Vala Bangle Set'],
  ['silver bracelet', 3, 'Kolusu Bell Bracelet'],
  ['rose gold', 2, 'Muthu Embrace Ring', 'Thamara Lotus Pendant'],
  ['ring 14', 6, 'Nakshatra Solitaire Ring', 'Palakka Mothiram'],
  ['bangle size 2-4', 4, 'Moonu Vala Bangle Set', 'Kasavu Enamel Vala'],
  ['engagement ring', 2, 'Nakshatra Solitaire Ring'],
  ['couple rings', 1, 'Mangalyam Couple Bands'],
  ['gift for wife', 5, 'Mullamottu Pearl Studs'],
  ['സമ്മാനം', 5, 'Mullamottu Pearl Studs'],
  ['bridal jewellery', 6, 'Chandrika Jimikki'],
  ['latest jhumka design', 1, 'Chandrika Jimikki'],

  // Spelling.
  ['necklase', 6, 'Mullamottu Mala'],
  ['earing', 7, 'Chandrika Jimikki'],
  ['braclet', 7, 'Kasavu Enamel Vala'],

  // What the shop does not have shows nothing, and no other thing under its name.
  ['thali', 0],
  ['താലി', 0],
  ['mangalsutra', 0],
  ['mookuthi', 0],
  ['mookuti', 0],
  ['nose ring', 0],
  ['toe ring', 0],
  ['maang tikka', 0],
  ['polki', 0],
];

/* What customers type who describe what they want: a budget, an occasion, several words at once; and in Tamil. */
const wishes: typeof rows = [
  // Prices.
  ['under 1500', 9, 'Moonu Vala Bangle Set'],
  ['below 2000', 14, 'Chandrika Jimikki'],
  ['within 1000', 4, 'Mullamottu Pearl Studs'],
  ['upto ₹1,500', 9, 'Moonu Vala Bangle Set'],
  ['rings under 1000', 1, 'Piriyan Rope Band'],
  ['ring under 2k', 6, 'Mangalyam Couple Bands'],
  ['earrings below rs 1000', 2, 'Mullamottu Pearl Studs', 'Palakka Fan Studs'],
  ['₹500-1000', 4, 'Mullamottu Pearl Studs'],
  ['between 500 and 1000', 4, 'Mullamottu Pearl Studs'],
  ['necklace between 2000 and 4000', 4, 'Mullamottu Mala', 'Palakka Mala', 'Ponkasu Mala'],
  ['pearl necklace under 6000', 3, 'Muthu Mala, Two Strands'],
  ['gift under 1500', 2, 'Mullamottu Pearl Studs', 'Orma Charm Bracelet'],
  ['bangle 2-4 under 2000', 2, 'Moonu Vala Bangle Set', 'Kasavu Enamel Vala'],
  ['watch above 7000', 3, 'Ezhuthu Dress Watch', 'Kayal Chronograph'],

  // Occasions, and several words.
  ['birthday gift', 5, 'Mullamottu Pearl Studs'],
  ['anniversary gift for wife', 5, 'Mullamottu Pearl Studs'],
  ['onam special', 11, 'Chandrika Jimikki'],
  ['diwali', 11, 'Chandrika Jimikki'],
  ['haldi', 6, 'Chandrika Jimikki'],
  ['bridal set', 6, 'Chandrika Jimikki'],
  ['temple jewellery set', 11, 'Chandrika Jimikki'],
  ['office wear', 5, 'Ezhuthu Dress Watch'],
  ['watch for men', 3, 'Ezhuthu Dress Watch', 'Kayal Chronograph', 'Tharavadu Dress Watch'],
  ['pearl set', 9, 'Mullamottu Pearl Studs'],
  ['bangle set', 5, 'Moonu Vala Bangle Set'],
  ['adjustable ring', 1, 'Muthu Embrace Ring'],
  ['jhumki gold', 1, 'Chandrika Jimikki'],
  ['925 silver', 13, 'Ezhukallu Thodu'],
  ['sale', 11, 'Chandrika Jimikki'],
  ['neckless', 6, 'Mullamottu Mala'],
  ['earings', 7, 'Chandrika Jimikki'],
  ['bracelat', 7, 'Kasavu Enamel Vala'],
  ['payal', 1, 'Kolusu Bell Bracelet'],
  ['anklet', 1, 'Kolusu Bell Bracelet'],

  // Tamil, whole and while it is typed.
  ['தோடு', 3, 'Ezhukallu Thodu'],
  ['வளையல்', 4, 'Kasavu Enamel Vala'],
  ['வளையல்கள்', 4, 'Kasavu Enamel Vala'],
  ['மோதிரம்', 7, 'Mangalyam Couple Bands'],
  ['மோதிரங்கள்', 7, 'Mangalyam Couple Bands'],
  ['கம்மல்', 7, 'Chandrika Jimikki'],
  ['முத்து மாலை', 3, 'Muthu Mala, Two Strands'],
  ['தோட', 3, 'Ezhukallu Thodu'],
  ['வளை', 4, 'Kasavu Enamel Vala'],
  ['மோதி', 7, 'Mangalyam Couple Bands'],
  ['கம்ம', 7, 'Chandrika Jimikki'],
];

/* Of these the shop has no product with all words. It shows the nearest ones, and says so. */
const nearest: readonly (readonly [typed: string, sentence: string, first: string])[] = [
  [
    'lightweight earrings daily wear',
    'We have nothing for “lightweight”. These match “earrings” and “daily wear”.',
    'Mullamottu Pearl Studs',
  ],
  [
    'butterfly earrings',
    'We have nothing for “butterfly”. These match “earrings”.',
    'Chandrika Jimikki',
  ],
  ['diamond ring', 'We have nothing for “diamond”. These match “ring”.', 'Mangalyam Couple Bands'],
  [
    '916 gold chain',
    'We have nothing for “916”. These match “gold” and “chain”.',
    'Thamara Lotus Pendant',
  ],
  ['thali mala', 'We have nothing for “thali”. These match “mala”.', 'Mullamottu Mala'],
  [
    'rings under 100',
    'We have nothing for “under 100”. These match “rings”.',
    'Mangalyam Couple Bands',
  ],
  [
    'kada for men',
    'No product matches all of your words. These match most of them.',
    'Piriyan Twisted Kada',
  ],
  [
    'gold chain for men',
    'No product matches all of your words. These match most of them.',
    'Ezhuthu Dress Watch',
  ],
];

const isDemo = supportEmail === 'care@kasavu.example';

async function demoShop() {
  const products = await loadDemoCatalogue(new Date(), 'src/shop/catalogue');
  return listingOf(
    products.map(({ row }) => productFromRow({ ...row, updated_at: row['created_at'] })),
    search,
    searchAnswers(),
  );
}

test.runIf(isDemo)(
  'a hundred words that customers type find what the demo shop has for them, best first',
  async () => {
    const shop = await demoShop();
    const all = [...rows, ...wishes];
    expect(all.length).toBeGreaterThanOrEqual(100);
    expect(
      all.map(([typed, , ...first]) => {
        const { found, nearest: sentence } = shop.run({ search: typed });
        expect(sentence, typed).toBeNull();
        return [typed, found.length, ...found.slice(0, first.length).map(({ name }) => name)];
      }),
    ).toEqual(all);
  },
);

test.runIf(isDemo)(
  'words of which no product has all find the nearest ones, with a sentence that says so',
  async () => {
    const shop = await demoShop();
    expect(
      nearest.map(([typed]) => {
        const { found, nearest: sentence } = shop.run({ search: typed });
        return [typed, sentence, found[0]?.name];
      }),
    ).toEqual(nearest);
  },
);

test('words about cash on delivery and shipping are answered with what the shop says of them, beside the products', () => {
  const [category = ''] = categories;
  const shop = listingOf(
    [product({ name: 'Pearl Studs', category }), product({ name: 'Leaf Ring', category })],
    { synonyms: [] },
    searchAnswers(),
  );
  const cash = cashOnDelivery === null ? 'There is no cash on delivery.' : 'Cash on delivery is';
  for (const typed of ['cod', 'COD', 'cash on delivery']) {
    const { answer, found, corrected } = shop.run({ search: typed });
    expect(answer).toContain(cash);
    expect([found.length, corrected]).toEqual([2, null]);
  }
  expect(shop.names({ search: 'cod studs' })).toEqual(['Pearl Studs']);
  expect(shop.run({ search: 'free delivery' }).answer).toContain(seller.shipping.standard);
  // A return gift is given to guests.
  expect(shop.run({ search: 'return gift' }).answer).toBeNull();
});
