import { parseTerms, termsText, type DiscountTerms } from '#domain/cart/discount-terms.ts';
import { formatDay, indiaCalendarDay } from '#domain/calendar-day.ts';
import * as v from '#domain/validate.ts';

/** A code that the cart shows to everybody. */
export interface ShownDiscount extends DiscountTerms {
  /** The calendar day of its end, in ms. */
  lastDay: number;
}

const parseAnswer = v.object({ discounts: v.array((value) => value) });
const parseDays = v.object({ last_day: v.nonEmptyString });

/** The codes of an answer of `/api/discounts` that have not ended meanwhile. Throws ValidationError. */
export function parseShownDiscounts(answer: unknown, now: Date): ShownDiscount[] {
  return parseAnswer(answer)
    .discounts.map((row) => ({
      ...parseTerms(row),
      lastDay: Date.parse(parseDays(row).last_day),
    }))
    .filter(({ lastDay }) => lastDay >= indiaCalendarDay(now));
}

/** 'ONAM10: 10% off until Mon 30 Nov' */
export const shownDiscountText = (discount: ShownDiscount): string =>
  `${discount.code}: ${termsText(discount)} until ${formatDay(discount.lastDay)}`;
