import fc from 'fast-check';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { tidyText, typedLine, typedLines } from '#domain/typed-text.ts';
import { eachRow } from '#tests/each-row.ts';

const line = z.string().check(typedLine(), z.minLength(1));
const lines = z.string().check(typedLines(), z.minLength(1));

test('a text of which nobody sees anything is empty', () =>
  eachRow(
    ['', '   ', '\u200B\u200B', '\u3164', '\u2800', '\u200D', '\uFEFF\u00AD', '\u202E'],
    (text) => {
      expect(tidyText(text)).toBe('');
      expect(line.safeParse(text).success).toBe(false);
      expect(lines.safeParse(text).success).toBe(false);
    },
  ));

test('letters that turn or hide others are left out, and spellings of one letter are one', () =>
  eachRow(
    [
      ['Anu\u202Eradha', 'Anuradha'],
      ['OK\u200B250', 'OK250'],
      ['Zoe\u0308', 'Zoë'],
      [' Asha\u00AD ', 'Asha'],
    ] as const,
    ([typed, kept]) => {
      expect(tidyText(typed)).toBe(kept);
    },
  ));

test('joiners of Indian scripts and of emoji stay', () =>
  eachRow(['കമ്മ\u0D32\u0D4D\u200D', 'क्\u200Dष', '👩🏽\u200D🎨', '❤\uFE0F'], (text) => {
    expect(tidyText(text)).toBe(text.normalize('NFC'));
  }));

test('a line has no line break; a text of several lines keeps them', () => {
  const typed = 'Asha\r\n12 Temple Road\u2028Kochi';
  expect(line.parse(typed)).toBe('Asha 12 Temple Road Kochi');
  expect(lines.parse(typed)).toBe('Asha\n12 Temple Road\nKochi');
});

test('a tidied text is tidy', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const tidied = tidyText(text);
      expect(tidyText(tidied)).toBe(tidied);
    }),
  );
});
