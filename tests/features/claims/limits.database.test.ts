import { expect, test } from 'vitest';
import { claimSchema } from '#features/claims/domain/damage-claim.ts';
import { limitsOf, maxLength, takes } from '#tests/database/support/limits.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const { checksOf } = limitsOf(await useDatabase());

test('the form takes a report as long as its column does, and no longer', async () => {
  const max = maxLength(await checksOf('claims'), 'message');
  const take = takes(claimSchema, { photos: [], video: null }, 'message');
  expect([take('1'.repeat(max)), take('1'.repeat(max + 1))]).toEqual([true, false]);
});
