import { expect, test } from 'vitest';
import { shownWord, unknownWord } from '#domain/sql-word.ts';

const schema = shownWord(['paid', 'not_paid']);

test('a word of SQL is read as it is, and one of a newer database as an unknown one', () => {
  expect(schema.parse('not_paid')).toBe('not_paid');
  expect(schema.parse('meteorite')).toBe(unknownWord);
  // What the functions answer is read by the page once more.
  expect(schema.parse(unknownWord)).toBe(unknownWord);
});

test('an answer without a word is a fault', () => {
  for (const value of [undefined, null, 1, {}]) expect(schema.safeParse(value).success).toBe(false);
});
