import { test, expect } from 'vitest';
import { discountInputSchema } from '#features/discounts/domain/discounts-api.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { limitsOf, numberIn } from '#tests/database/support/limits.ts';
import { eachRow } from '#tests/each-row.ts';

const { checksOf } = limitsOf(await useDatabase());

test('a discount code has the same limits in the form and in SQL', async () => {
  const codes = await checksOf('discount_codes');
  await eachRow(
    [
      ['percent', 'percent'],
      ['amount_paise', 'amount_paise'],
      ['max_uses', 'max_uses'],
      ['max_per_shopper', 'max_per_customer'],
      ['min_paise', 'min_paise'],
    ] as const,
    ([column, field]) => {
      const min = numberIn(codes, new RegExp(`${column} >= (\\d+)`, 'u'));
      const max = numberIn(codes, new RegExp(`${column} <= (\\d+)`, 'u'));
      const schema = discountInputSchema.shape[field];
      const taken = [min - 1, min, max, max + 1].map((value) => schema.safeParse(value).success);
      expect(taken).toEqual([false, true, true, false]);
    },
  );
});
