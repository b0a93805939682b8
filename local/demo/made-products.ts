import { categories } from '#settings/categories.ts';
import type { WornOn } from '#shop-schema/shop-schema.ts';
import { stableUuid } from './products.ts';

/*
 * Products for trying the shop at any size. Names and texts are put together from words that such shops use, by a
 * generator that always gives the same for the same number; two products in a hundred have the same name, as in life.
 */

/** What products are called, by where they are worn. */
const kinds: Readonly<Record<WornOn, readonly string[]>> = {
  finger: ['Ring', 'Band', 'Mothiram', 'Solitaire Ring', 'Stacking Ring', 'Cocktail Ring'],
  toe: ['Toe Ring', 'Metti', 'Bichiya', 'Open Toe Ring'],
  neck: ['Mala', 'Necklace', 'Choker', 'Pendant Chain', 'Haaram', 'Thali Chain'],
  wrist: ['Vala', 'Bangle', 'Kada', 'Charm Bracelet', 'Cuff', 'Chain Bracelet'],
  watch: ['Watch', 'Dress Watch', 'Bangle Watch', 'Chronograph', 'Petite Watch', 'Field Watch'],
  ear: ['Jimikki', 'Studs', 'Hoops', 'Chandbali', 'Drops', 'Kammal'],
  ankle: ['Anklet', 'Payal', 'Kolusu', 'Bell Anklet'],
};

const words = (text: string): string[] => text.split(' ');
const given = words(
  'Aarathi Aditi Ahalya Ambika Amritha Anagha Anjana Aparna Archana Arundhathi Aswathi Bhadra Bhavana Chandrika Chitra Damayanti Devaki Devika Dhanya Durga Gayathri Gauri Hamsa Harini Hema Indira Ishani Janaki Jayanthi Jyothi Kadambari Kalyani Kamala Karthika Kavitha Kumudam Lakshmi Lalitha Leela Madhavi Malavika Malini Manjula Meenakshi Meera Mohini Mridula Nandini Nalini Neelima Nirmala Padma Parvathi Pavithra Poornima Prabha Priya Radhika Ragini Rajani Ranjini Revathi Rohini Rukmini Sandhya Saraswathi Savithri Seetha Sharada Shobha Sreedevi Subhadra Sujatha Sumangala Swarna Tara Thara Thulasi Uma Urmila Usha Vasantha Vasundhara Vidya Vimala Yamini Yashoda',
);
const motifs = words(
  'Palakka Mullamottu Kasu Nagapadam Manga Lotus Peacock Jasmine Ilanji Chempaka Thamara Poothali Karimani Elakkathali Avil Pichi Rudraksha Temple Coin Leaf Vine Fern Moon Star Sun Wave Shell Rope Twist Lattice Filigree Granulated Paisley Mango Parrot Swan Fish Conch Bell Lamp Boat Monsoon Backwater Kasuti Theyyam Mural Kathakali Ezhuthu Muthu Pavizham Maragatham Manikyam Vaidooryam Blossom Petal Bud Feather Halo Arch Fan Dewdrop',
);
const metals = [
  'Gold-plated brass',
  'Gold-plated 925 silver',
  '925 silver',
  'Antique gold-plated brass',
  'Rose gold-plated silver',
  'Stainless steel',
  'Gold-plated steel',
  'Oxidised silver',
  'Copper',
  'Rhodium-plated 925 silver',
];
const stones = [
  'None',
  'None',
  'Cubic zirconia',
  'Freshwater pearl',
  'Red kemp glass',
  'Green palakka glass',
  'Synthetic ruby',
  'Green onyx',
  'Moonstone',
  'Garnet',
  'Shell pearl',
  'Turquoise',
  'Cubic zirconia, freshwater pearl',
  'Amethyst',
];
const openings = [
  'A quiet piece',
  'A bold piece',
  'An old Kerala form, drawn anew',
  'Made for long days',
  'A piece for the festival table',
  'Light enough to forget',
  'For the wedding season',
  'Two forms in one',
  'A gift that keeps',
  'A small piece with a clear line',
  'Worn by our grandmothers in this shape',
  'Cut, set and polished by two people',
];
const details = [
  'with a fine line of milgrain along its edge',
  'with granules set one by one',
  'finished by hand and sealed against wear',
  'with a clasp that closes with a click',
  'hollow inside, so that it weighs little',
  'with a hinge that hides in the pattern',
  'with stones held in plain bezels',
  'brushed on one side and bright on the other',
  'strung on a cord that can be lengthened',
  'with a thread of gold around the stone',
  'that swings a little with each step',
  'that sits flat under a collar',
];
const advice = [
  'Keep it dry and it keeps its colour.',
  'Wipe it with a soft cloth after wearing.',
  'Store it in the pouch that it comes in.',
  'Pairs well with a plain cotton saree.',
  'It can be worn every day.',
  'Matches the rest of the series.',
  'Comes with a spare screw.',
  'The size can be adjusted at home.',
  'Sits well beside a wedding band.',
  'Made in small numbers each month.',
];

/** Random numbers that are the same for the same seed (mulberry32), 0 to below 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The id of the made product with this number, the same in every data folder. */
export const madeProductId = (index: number): string => stableUuid(`made ${String(index)}`);

interface ImageSet {
  category: string;
  images: unknown;
  alts: unknown;
}

/** A row of `products`; `images` are the demo products', of which it takes those of its category in turn. */
export function createProduct(
  index: number,
  sets: readonly ImageSet[],
): Readonly<Record<string, unknown>> {
  const random = randomFrom(index * 7_919 + 17);
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[Math.floor(random() * list.length)];
    if (picked === undefined) throw new Error('Nothing to pick from');
    return picked;
  };
  // Categories by turns, of those that have images.
  const offered = categories.filter(({ slug }) => sets.some(({ category }) => category === slug));
  const kindOfProduct = offered[index % offered.length];
  if (kindOfProduct === undefined) throw new Error('The demo catalogue has no images.');
  const { slug: category, wornOn } = kindOfProduct;
  const [motif, metal, stone, weight] = [
    pick(motifs),
    pick(metals),
    pick(stones),
    1 + random() * (wornOn === 'watch' ? 120 : 40),
  ];
  const kind = pick(kinds[wornOn]);
  const rupees =
    Math.round((300 + 9_000 * random() ** 2.5 + (metal.includes('925') ? 900 : 0)) / 50) * 50 - 1;
  const own = sets.filter((set) => set.category === category);
  const { images, alts } = pick(own);
  return {
    id: madeProductId(index),
    name: `${pick(given)} ${random() < 0.35 ? `${pick(motifs)} ` : ''}${motif} ${kind}`,
    description: `${pick(openings)}: ${kind.toLowerCase()} in ${metal.toLowerCase()}${stone === 'None' ? '' : ` and ${stone.toLowerCase()}`}, ${pick(details)}, ${pick(details)}. ${pick(advice)} ${pick(advice)}`,
    category,
    price: rupees,
    offerPrice:
      random() < 0.2
        ? Math.max(99, Math.round((rupees * (0.7 + random() * 0.2)) / 50) * 50 - 1)
        : null,
    stock: random() < 0.06 ? 0 : Math.ceil(random() ** 2 * 30),
    sizes: [],
    images,
    image_alts: alts,
    attributes: { metal, stone, weight_g: Math.round(weight * 10) / 10, origin: 'India' },
    // Three years back, at no set time of the day.
    created_at: new Date(
      Date.UTC(2026, 8, 1) - Math.floor(random() * 1_095 * 86_400_000),
    ).toISOString(),
  };
}
