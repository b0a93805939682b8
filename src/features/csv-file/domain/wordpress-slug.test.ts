import { expect, test } from 'vitest';
import { wordPressSlug } from './wordpress-slug.ts';

test.each([
  ['Leaf Ring', 'leaf-ring'],
  ['  Two   spaces\tand a tab ', 'two-spaces-and-a-tab'],
  ['Hyphens -- and--more-', 'hyphens-and-more'],
  ['Bangle & Ring', 'bangle-ring'],
  ['Bangle&Ring', 'banglering'],
  ['Bangle &amp; Ring', 'bangle-ring'],
  ['Bangle&nbsp;Ring &ndash; Gold', 'bangle-ring-gold'],
  ['Silver 92.5', 'silver-92-5'],
  ['Ring – gold — plated', 'ring-gold-plated'],
  ['12/14', '12-14'],
  ['“Lotus” ring’s box', 'lotus-rings-box'],
  ['‹Lotus› «ring»', 'lotus-ring'],
  ['Ring © ® ™ 40°', 'ring-40'],
  ['Just ¡a ring¿', 'just-a-ring'],
  ['6×7 mm', '6x7-mm'],
  ['Café ñandú Straße', 'cafe-nandu-strasse'],
  ['50% off', '50-off'],
  ['<b>Leaf</b> ring', 'leaf-ring'],
  ['snake_ring', 'snake_ring'],
  // Vowels of these scripts are marks, and stay.
  ['പാലക്ക മാല', 'പാലക്ക-മാല'],
  ['चाँदी की पायल', 'चाँदी-की-पायल'],
])('WordPress makes of %s the slug %s', (name, slug) => {
  expect(wordPressSlug(name)).toBe(slug);
});

test('a slug has 200 bytes as WordPress counts them, nine for a letter of Malayalam', () => {
  expect(wordPressSlug('a'.repeat(250))).toHaveLength(200);
  expect(wordPressSlug('മ'.repeat(40))).toBe('മ'.repeat(22));
});
