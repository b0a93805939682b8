import { dayMs, indiaMidnight } from '#domain/calendar-day.ts';
import * as v from '#domain/validate.ts';
import type { Product } from '#domain/catalogue/product.ts';

/** How many products an occasion has. With fewer that can be bought, pages do not show it. */
export const occasionProducts = { min: 2, max: 8 } as const;

/** Reads a row of `occasion`. Throws ValidationError. */
export const parseOccasion = v.object({
  heading: v.nonEmptyString,
  sentence: v.nonEmptyString,
  first_day: v.calendarDay,
  last_day: v.calendarDay,
  products: v.array(v.string),
});
/** A heading, a sentence and products that the home page shows from a first to a last day, both included. */
export type Occasion = ReturnType<typeof parseOccasion>;

/** The moments at which an occasion begins and ends, in ms since the epoch. */
export const occasionSpan = (occasion: Occasion): { from: number; until: number } => ({
  from: indiaMidnight(occasion.first_day),
  until: indiaMidnight(occasion.last_day + dayMs),
});

/**
 * The products that the home page has for an occasion, in its order: those that can be bought. None when it is over, or when
 * fewer than two can be. A future occasion returns its products, because the built page shows it on its first day.
 */
export function chooseOccasion(
  products: readonly Product[],
  occasion: Occasion,
  now: Date,
): Product[] {
  if (now.getTime() >= occasionSpan(occasion).until) return [];
  const chosen = occasion.products.flatMap(
    (id) => products.find((product) => product.id === id && product.stock > 0) ?? [],
  );
  return chosen.length < occasionProducts.min ? [] : chosen;
}
