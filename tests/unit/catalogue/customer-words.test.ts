import { expect, test } from 'vitest';
import { loadDemoCatalogue } from '../../../local/demo/products.ts';
import { productFromRow } from '../../../src/domain/catalogue/product-row.ts';
import { search } from '../../../src/settings/search.ts';
import { supportEmail } from '../../../src/settings/shop.ts';
import { listingOf } from './catalogue-rows.ts';

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
  ['payal', 0],
  ['toe ring', 0],
  ['maang tikka', 0],
  ['diamond ring', 0],
  ['916 gold chain', 0],
];

test.runIf(supportEmail === 'care@kasavu.example')(
  'fifty words that customers type find what the demo shop has for them, best first',
  async () => {
    const products = await loadDemoCatalogue(new Date(), 'src/shop/catalogue');
    const shop = listingOf(
      products.map(({ row }) => productFromRow({ ...row, updated_at: row['created_at'] })),
      search,
    );
    expect(rows.length).toBeGreaterThanOrEqual(50);
    expect(
      rows.map(([typed, , ...first]) => {
        const names = shop.names({ search: typed });
        return [typed, names.length, ...names.slice(0, first.length)];
      }),
    ).toEqual(rows);
  },
);
