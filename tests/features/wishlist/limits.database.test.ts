import { expect, test } from 'vitest';
import { maxWishlist } from '../../../src/features/wishlist/domain/wishlist.ts';
import { limitsOf, numberIn } from '../../database/support/limits.ts';
import { useDatabase } from '../../database/support/postgres.ts';

const { definitionOf } = limitsOf(await useDatabase());

test('a wishlist holds as many products on the device as in SQL', async () => {
  expect(numberIn(await definitionOf('limit_wishlist'), /offset (\d+)/u)).toBe(maxWishlist);
});
