import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxSizeLength } from '#domain/catalogue/sizes.ts';
import { sku } from '#domain/catalogue/sku.ts';

const id = '6b1f0c9e-0000-4000-8000-00000000000a';

test('a size of up to 20 letters stands in the id whole, a longer one is told apart by its end', () => {
  expect(sku(id)).toBe(id);
  expect(sku(id, '14')).toBe('6b1f0c9e00004000800000000000_14'.replace('_14', '0_14'));
  const [short, long] = ['x'.repeat(20), '14k White Gold / 15 inch'];
  expect(sku(id, short).endsWith(`_${short}`)).toBe(true);
  expect(sku(id, long)).toMatch(/^[\da-f]{29}_14k White G~[\da-f]{8}$/u);
  expect(sku(id, long)).not.toBe(sku(id, '14k White Gold / 18 inch'));
});

test('every size has an id of its own, within the 50 characters of Google', () => {
  const size = fc.string({ minLength: 1, maxLength: maxSizeLength });
  fc.assert(
    fc.property(size, size, (a, b) => {
      expect(sku(id, a).length).toBeLessThanOrEqual(50);
      expect(sku(id, a) === sku(id, b)).toBe(a === b);
    }),
  );
});
