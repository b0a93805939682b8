import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { categoryOf, settingsOfAnswers } from '../../../local/shop-folder/settings-of-answers.ts';
import {
  questions,
  type Question,
  type ShopAnswers,
} from '../../../local/shop-folder/shop-answers.ts';
import { states } from '../../../src/domain/checkout/postal-code.ts';
import { faultsOf } from '../../../src/integrations/check-shop/check-shop.ts';
import { shopFolder } from '../../../src/integrations/check-shop/shop-folder.ts';
import { eachRow } from '../../each-row.ts';

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
  const { shop, tax, categories, delivery } = settingsOfAnswers(
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
  expect(categoryOf('Earrings').wornOn).toBe('ear');
  expect(settingsOfAnswers(shopFolder, answersOf()).tax.registration).toEqual({
    kind: 'unregistered',
    sendsToOtherStates: false,
  });
});

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
