import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { categoryOf, readCategory } from '#local/shop-folder/category-of-words.ts';
import { drawPictures, lettersWithoutFont } from '#local/shop-folder/draw-pictures.ts';
import { writeCatalogue } from '#local/shop-folder/write-catalogue.ts';
import { settingsOfAnswers } from '#local/shop-folder/settings-of-answers.ts';
import { questions, type Question, type ShopAnswers } from '#local/shop-folder/shop-answers.ts';
import { states } from '#domain/checkout/postal-code.ts';
import { faultsOf } from '#integrations/check-shop/check-shop.ts';
import { shopFolder } from '#integrations/check-shop/shop-folder.ts';
import type { CategorySettings } from '#shop-schema/shop-schema.ts';
import { eachRow } from '#tests/each-row.ts';
import { sampleCategories } from '#tests/sample-categories.ts';

/** Answers as somebody types them, read; those that are not given are the questions' own. */
const answersOf = (typed: Partial<Record<Question, string>> = {}): ShopAnswers =>
  Object.fromEntries(
    Object.entries(questions).map(([name, { otherwise, read }]) => [
      name,
      read.parse(typed[name as Question] ?? otherwise),
    ]),
  ) as ShopAnswers;

test('whatever the answers, the new shop has no fault, and every colour of it can be read', () => {
  expect(faultsOf(settingsOfAnswers(shopFolder, answersOf()))).toEqual([]);
  const words = fc.stringMatching(/^[A-Z][a-z]{1,8}(?: [A-Z][a-z]{1,8})?$/u);
  fc.assert(
    fc.property(
      words,
      fc.constantFrom(...states.map(({ name }) => name.toUpperCase())),
      fc.stringMatching(/^#[\da-fA-F]{6}$/u),
      fc.uniqueArray(words, {
        minLength: 1,
        maxLength: 10,
        selector: (name) => name.toLowerCase(),
      }),
      (name, state, colour, kinds) => {
        const categories = kinds.filter((kind) => !/^(?:all|page)$/iu.test(kind)).join(', ');
        fc.pre(categories !== '');
        const answers = answersOf({ name, state, colour, categories });
        expect(faultsOf(settingsOfAnswers(shopFolder, answers))).toEqual([]);
      },
    ),
    {
      // More than a description of the shop has room for.
      examples: [
        [
          'Aaaaaaa Aaaaaaaa',
          'DADRA AND NAGAR HAVELI AND DAMAN AND DIU',
          '#000aa0',
          'bcdefghijk'.split('').map((letter) => `Aaaaaaaa Aaaaaaa${letter}`),
        ],
      ],
    },
  );
});

test('answers become settings: prefixes from the name, GST from the state, categories from their names', () => {
  const { shop, seller, tax, categories, delivery } = settingsOfAnswers(
    shopFolder,
    answersOf({
      name: ' Meera  Jewels ',
      state: 'maharashtra',
      categories: 'Toe Rings, Watches,Payal',
      gstin: '27aapfu0939f1zv',
    }),
  );
  expect(shop).toMatchObject({
    name: 'Meera Jewels',
    prefixes: { order: 'MJ', invoice: 'MJ', creditNote: 'CN' },
    reviews: { shown: false },
  });
  // What the demo shop has turned on stays off.
  expect(shop.reviews.askAfterDays).toBeUndefined();
  expect(seller.mails.leftCartAfterHours).toBeUndefined();
  expect(tax).toMatchObject({
    home: { name: 'Maharashtra', gstCode: '27' },
    registration: { kind: 'regular', gstin: '27AAPFU0939F1ZV' },
    byCategory: { 'toe-rings': { rateBps: 300 }, watches: { hsn: '9102', rateBps: 1_800 } },
  });
  expect(delivery.shipping.freeWithin).toBe('Maharashtra');
  expect(categories).toEqual([
    { slug: 'toe-rings', label: 'Toe rings', one: 'toe ring', wornOn: 'toe' },
    { slug: 'watches', label: 'Watches', one: 'watch', wornOn: 'watch' },
    { slug: 'payal', label: 'Payal', one: 'payal', wornOn: 'ankle' },
  ]);
  expect(categoryOf({ name: 'Earrings', slug: 'earrings' }).wornOn).toBe('ear');
  expect(categoryOf({ name: 'Brooches', slug: 'brooches' }).googleCategory).toBe(188);
  expect(settingsOfAnswers(shopFolder, answersOf()).tax.registration).toEqual({
    kind: 'unregistered',
    sendsToOtherStates: false,
  });
});

test('a house number is no line of an address by itself', () =>
  eachRow(
    [
      ['12, Chaura Rasta, Jaipur 302003', ['12, Chaura Rasta', 'Jaipur 302003']],
      ['Flat 4, 12/7, Temple Road, Jaipur', ['Flat 4', '12/7, Temple Road', 'Jaipur']],
    ] as const,
    ([typed, lines]) => {
      expect(questions.address.read.parse(typed)).toEqual(lines);
    },
  ));

test('an answer that cannot be read is refused with what to do', () =>
  eachRow(
    [
      ['state', 'Bavaria', /^choose one of Jammu and Kashmir, /u],
      ['gstin', '27AAPFU0939F1ZX', /^this is no GSTIN/u],
      ['mail', 'care', /^give an e-mail address/u],
      ['colour', 'green', /^give '#' and six/u],
      ['address', 'Kochi', /^give street and town/u],
      ['products', 'some', /^answer demo or empty/u],
    ] as const,
    ([name, typed, words]) => {
      expect(questions[name].read.safeParse(typed).error?.issues[0]?.message).toMatch(words);
    },
  ));

test('a category may have any script, signs and digits, and its address is made of it or given behind it', () =>
  eachRow(
    [
      ['Malas & Chokers', { name: 'Malas & Chokers', slug: 'malas-chokers' }],
      ['Ohrhänger für 2', { name: 'Ohrhänger für 2', slug: 'ohrhanger-fur-2' }],
      ['झुमके = Jhumke', { name: 'झुमके', slug: 'jhumke' }],
      ['झुमके', /^"झुमके" needs a name in Latin letters .+ झुमके = jhumke$/u],
      ['Rings <b>', /^"Rings <b>" has a "<"/u],
      ['2024', /^"2024" has no letter/u],
      ['Page', /^"Page" would have the address \/shop\/page/u],
      ['x'.repeat(33), /^"x+" has 33 letters: 32 at most$/u],
    ] as const,
    ([typed, expected]) => {
      if (expected instanceof RegExp) expect(readCategory(typed)).toMatch(expected);
      else expect(readCategory(typed)).toEqual(expected);
    },
  ));

test('every category that is accepted is one that the settings take', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(...Array.from('abzsÄßİझु &-.2=ﬁ')),
        minLength: 2,
        maxLength: 40,
      }),
      (typed) => {
        const read = readCategory(typed);
        fc.pre(typeof read !== 'string');
        const settings = settingsOfAnswers(shopFolder, { ...answersOf(), categories: [read] });
        expect(faultsOf(settings)).toEqual([]);
      },
    ),
    {
      examples: [
        ['a b'.repeat(10)],
        ['ab-'.repeat(11)],
        ["aa ' & ("],
        ['ﬁligree Ⅻ'],
        ['İİ aa'.repeat(6)],
      ],
    },
  );
});

test('demo products go to the category that is worn in the same place, and what became of them is said', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'new-shop-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const file = join(folder, 'catalogue/products.json');
  const pictures = join(folder, 'catalogue/pictures');
  const demo = { stud: 'earrings', band: 'rings', bali: 'earrings' };
  const into = async (
    typed: string,
    isEmpty = false,
    sizeGuide?: CategorySettings['sizeGuide'],
  ): Promise<string> => {
    await mkdir(pictures, { recursive: true });
    const products = Object.entries(demo).map(([name, category]) => ({
      name,
      category,
      title: name,
    }));
    await writeFile(file, JSON.stringify(products));
    for (const name of Object.keys(demo)) await writeFile(join(pictures, `${name}-1.webp`), '');
    const settings = settingsOfAnswers(shopFolder, answersOf({ categories: typed }));
    const categories = settings.categories.map((one) => ({ ...one, sizeGuide }));
    return writeCatalogue(folder, { categories: sampleCategories }, { categories }, isEmpty);
  };
  expect(await into('झुमके = jhumke, Lamps')).toBe(
    '2 demo products are in the shop: 2 under झुमके. 1 others are removed: they fit none of your categories.',
  );
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject([
    { name: 'stud', category: 'jhumke' },
    { name: 'bali', category: 'jhumke' },
  ]);
  expect(await readdir(pictures)).toEqual(['bali-1.webp', 'stud-1.webp']);
  expect(await into('Lamps')).toMatch(/^No demo product fits your categories/u);
  // Earrings say no ring size.
  expect(await into('Earrings', false, 'rings')).toMatch(/^No demo product fits/u);
  expect(await into('Rings', false, 'rings')).toMatch(/^1 demo products/u);
  expect(await into('Earrings', false, 'none')).toMatch(/^2 demo products/u);
  expect(await into('Earrings', true)).toBe('The shop has no products yet: add them under /admin.');
});

test('the card and the images are drawn from name and colours, as large as those of the demo shop, and small files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'new-shop-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'public/pictures'), { recursive: true });
  await drawPictures(folder, "Maya & Sons' झुमके", shopFolder.theme);
  for (const [path, width, height] of [
    ['social-card.jpg', 1_200, 630],
    ['pictures/hero.webp', 2_760, 1_536],
    ['pictures/hero-phone.webp', 1_035, 720],
    ['pictures/about.webp', 1_610, 1_208],
  ] as const) {
    const image = await readFile(join(folder, 'public', path));
    expect(await sharp(image).metadata()).toMatchObject({ width, height });
    expect(image.length).toBeLessThan(80_000);
  }
});

test('letters without a font on this machine are known, so that no card has boxes in place of a name', async () => {
  // Nobody has a font for a code point that is no letter; everybody has one for Latin letters.
  expect(await lettersWithoutFont('Meera & Töchter')).toEqual([]);
  const scripts = 'टെதবગਪతಕଓ';
  const missing = await lettersWithoutFont(scripts);
  for (const letter of scripts) {
    const { data } = await sharp({ text: { text: letter, font: 'sans 60' } })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { data: box } = await sharp({ text: { text: '\u0379', font: 'sans 60' } })
      .raw()
      .toBuffer({ resolveWithObject: true });
    // A box has the size of every other box.
    if (missing.includes(letter)) expect(data.length).toBe(box.length);
  }
});

test('what a new shop does not ask for is marked, and its own words stand in place of the demo’s', () => {
  const { seller, legal, shop, search } = settingsOfAnswers(
    shopFolder,
    answersOf({ categories: 'Anklets, Brooches' }),
  );
  expect(seller.contact.hours.every((line) => line.endsWith('(replace)'))).toBe(true);
  expect(legal.policiesUpdated).toMatch(/^\d{4}-\d\d-\d\d$/u);
  expect(shop.platformFeeBps).toBe(0);
  expect(search.synonyms).toEqual([]);
});
