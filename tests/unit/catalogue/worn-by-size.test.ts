import { expect, test, vi } from 'vitest';
import { categories } from '#settings/categories.ts';
import { lacksSize, sizeGuideOf } from '#domain/catalogue/worn-by-size.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: [
    ...(await import('#tests/sample-categories.ts')).sampleCategories,
    { slug: 'charms', label: 'Charms', one: 'charm', wornOn: 'wrist', sizeGuide: 'none' },
    { slug: 'armlets', label: 'Armlets', one: 'armlet', wornOn: 'neck', sizeGuide: 'bangles' },
  ],
}));

test('what is worn on a finger, a toe or a wrist is worn by size, unless the shop says otherwise', () => {
  expect(categories.map(({ slug }) => [slug, sizeGuideOf(slug)])).toEqual([
    ['rings', 'rings'],
    ['necklaces', null],
    ['bracelets', 'bangles'],
    ['earrings', null],
    ['watches', null],
    ['toe-rings', 'rings'],
    ['charms', null],
    ['armlets', 'bangles'],
  ]);
  expect(sizeGuideOf('a category that the shop has no more')).toBeNull();
});

test('sizes or a sentence say which size it is, and spaces do not', () => {
  const ring = { category: 'rings', sizes: [], size: '' };
  expect(lacksSize(ring)).toBe(true);
  expect(lacksSize({ ...ring, size: '  ' })).toBe(true);
  expect(lacksSize({ ...ring, size: 'Adjustable' })).toBe(false);
  expect(lacksSize({ ...ring, sizes: [{ size: '14', stock: 0 }] })).toBe(false);
  expect(lacksSize({ ...ring, category: 'necklaces' })).toBe(false);
});
