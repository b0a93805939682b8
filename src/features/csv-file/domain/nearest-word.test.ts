import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestWord } from './nearest-word.ts';
import { eachRow } from '../../../../tests/each-row.ts';

const words = ['Rings', 'Necklaces', 'Bracelets', 'Earrings', 'Watches'];

test('a misspelt word finds the intended one, and an unrelated word finds none', () =>
  eachRow(
    [
      ['Bracelet', 'Bracelets'],
      [' bracelts ', 'Bracelets'],
      ['NECKLACE', 'Necklaces'],
      ['Ring', 'Rings'],
      ['Earings', 'Earrings'],
      ['hats', null],
      ['', null],
      ['x', null],
    ],
    ([typed, meant]) => {
      expect(nearestWord(typed, words)).toBe(meant);
    },
  ));

test('a known word always matches itself, and no text breaks the search', () => {
  fc.assert(fc.property(fc.constantFrom(...words), (word) => nearestWord(word, words) === word));
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const meant = nearestWord(typed, words);
      return meant === null || words.includes(meant);
    }),
  );
});
