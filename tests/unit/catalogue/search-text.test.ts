import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText, plainWords } from '#domain/catalogue/listing/search-text.ts';
import { eachRow } from '#tests/each-row.ts';

test('what keyboards write in two ways is one text', () =>
  eachRow(
    [
      // Chillu l: its own letter, and la, virama, ZWJ.
      ['കമ്മ\u0D7D', 'കമ്മ\u0D32\u0D4D\u200D'],
      // The vowel sign o, composed and in two parts.
      ['\u0D15\u0D4A', '\u0D15\u0D46\u0D3E'],
      ['ബ്രേസ്\u200Cലെറ്റ്', 'ബ്രേസ്ലെറ്റ്'],
      // Devanagari rra, composed, with a nukta, and without; chandrabindu and anusvara.
      ['चू\u095Cी', 'चू\u0921\u093Cी'],
      ['चू\u0921ी', 'चू\u0921\u093Cी'],
      ['अ\u0901गूठी', 'अ\u0902गूठी'],
    ] as const,
    ([one, other]) => {
      expect(foldText(one)).toBe(foldText(other));
    },
  ));

test('vowel signs distinguish words', () => {
  expect(foldText('മാല')).not.toBe(foldText('മല'));
  expect(foldText('हार')).not.toBe(foldText('हर'));
});

test('singular and plural are one word', () =>
  eachRow(
    [
      ['necklace', 'necklaces'],
      ['watch', 'watches'],
      ['box', 'boxes'],
      ['ruby', 'rubies'],
      ['കമ്മൽ', 'കമ്മലുകൾ'],
      ['മോതിരം', 'മോതിരങ്ങൾ'],
    ] as const,
    ([one, many]) => {
      expect(plainWords(foldText(many))).toBe(plainWords(foldText(one)));
    },
  ));

test('short words keep their s', () =>
  eachRow(['gas', 'brass', 'us'], (word) => {
    expect(plainWords(word)).toBe(` ${word} `);
  }));

test('folding a folded text changes nothing, and composition makes no difference', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const folded = foldText(text);
      expect(foldText(folded)).toBe(folded);
      expect(foldText(text.normalize('NFC'))).toBe(foldText(text.normalize('NFD')));
    }),
  );
});
