import { test, expect } from 'vitest';
import { discountInputSchema } from '../../../src/features/discounts/domain/discounts-api.ts';
import { useDatabase } from '../../database/support/postgres.ts';
import { limitsOf, numberIn } from '../../database/support/limits.ts';
import { eachRow } from '../../each-row.ts';

const { checksOf } = limitsOf(await useDatabase());

test('a discount code has the same limits in the form and in SQL', async () => {
  const codes = await checksOf('discount_codes');
  const range = (column: string): [number, number] => [
    numberIn(codes, new RegExp(`${column} >= (\\d+)`, 'u')),
    numberIn(codes, new RegExp(`${column} <= (\\d+)`, 'u')),
  ];
  await eachRow(
    [
      ['percent', 'percent'],
      ['amount_paise', 'amount_paise'],
      ['max_uses', 'max_uses'],
      ['max_per_shopper', 'max_per_customer'],
      ['min_paise', 'min_paise'],
    ] as const,
    ([column, field]) => {
      const [min, max] = range(column);
      const take = (value: number): boolean =>
        discountInputSchema.shape[field].safeParse(value).success;
      expect([take(min - 1), take(min), take(max), take(max + 1)]).toEqual([
        false,
        true,
        true,
        false,
      ]);
    },
  );
});
