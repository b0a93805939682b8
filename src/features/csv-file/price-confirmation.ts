import type { Compared } from './compared-file.ts';
import { priceCheckOf, type PriceCheck } from './domain/price-check.ts';
import type { Mapping } from './domain/sources/guess-columns.ts';
import { arePricesConfirmed } from './stored-choices.ts';

/** The columns of prices, with what each is. */
export const priceColumnsOf = ({ price, offer }: PriceCheck): ReadonlyMap<string, string> =>
  new Map(
    [[price, 'Price'] as const, [offer, 'Offer price'] as const].flatMap(([heading, field]) =>
      heading === undefined ? [] : [[heading, field] as const],
    ),
  );

/** The check of a file's prices; null when there is nothing to confirm, or the admin has. */
export function openPriceCheck(
  { table, mapping, products }: Compared,
  confirmed: Mapping | null,
): PriceCheck | null {
  const check = priceCheckOf(table, mapping, products);
  if (check === null || confirmed === mapping) return null;
  return check.low === null &&
    check.price !== undefined &&
    arePricesConfirmed(priceColumnsOf(check))
    ? null
    : check;
}
