import * as z from 'zod/mini';
import { formatDay } from '#domain/calendar-day.ts';
import { codePattern, tidyCode } from '#domain/cart/discount-terms.ts';
import { formatRupees } from '#domain/money.ts';
import { shownWord } from '#domain/sql-word.ts';

/** A typed discount code. Output: normalised. */
export const discountCodeSchema = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(60, 'A code has at most 20 characters')),
    z.transform(tidyCode),
  ),
  z.string().check(z.regex(codePattern, 'A code has 4 to 20 letters, digits and hyphens')),
);

/** Why a code cannot be used: the words of SQL `private.discount_refusal`. */
export const discountRefusals = [
  'unknown',
  'not_yet',
  'over',
  'used_up',
  'used_by_shopper',
  'needs_phone',
  'cart_too_small',
] as const;

export const discountRefusalSchema = z.object({
  reason: shownWord(discountRefusals),
  first_day: z.optional(z.string()),
  min_paise: z.optional(z.int()),
});

/** The reason as a sentence for the customer. */
export function discountRefusalText(
  code: string,
  {
    reason,
    first_day: first = '',
    min_paise: minSubtotal = 0,
  }: z.infer<typeof discountRefusalSchema>,
): string {
  switch (reason) {
    case 'unknown':
      return `We do not know the code ${code}. Please look at its spelling.`;
    case 'not_yet':
      return `The code ${code} is valid from ${formatDay(Date.parse(first))}.`;
    case 'over':
      return `The code ${code} has expired.`;
    case 'used_up':
      return `The code ${code} has been used up.`;
    case 'used_by_shopper':
      return `You have used the code ${code} already.`;
    case 'needs_phone':
      return `The code ${code} is for each customer once, so it needs a phone number of ten digits. Please correct yours.`;
    case 'cart_too_small':
      return `The code ${code} is for carts from ${formatRupees(minSubtotal)}.`;
    case 'unknown_word':
      return `The code ${code} cannot be used for this order.`;
  }
}
