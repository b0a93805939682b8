import * as z from 'zod/mini';
import { formatDay } from '#domain/calendar-day.ts';
import { periodChecks, periodShape } from '#domain/period.ts';
import { isActive, parseNotice } from '#domain/shop-notice.ts';
import { typedLine } from '#domain/typed-text.ts';

/** The admin's notice as the form sends it and the database stores it. */
export const noticeInputSchema = z
  .object({
    message: z
      .string()
      .check(
        typedLine(),
        z.minLength(1, 'Write the text that customers will see'),
        z.maxLength(160, 'A notice has at most 160 characters'),
      ),
    ...periodShape,
    closes_checkout: z.boolean('Choose what happens until the last day'),
    /** Business days that a parcel takes longer; 0 when checkout is closed. */
    extra_days: z
      .int('Give the days as a whole number')
      .check(z.minimum(0), z.maximum(60, 'At most 60 days longer')),
  })
  .check(
    ...periodChecks(366, 'A notice lasts a year at most'),
    z.refine(({ closes_checkout: closes, extra_days: days }) => closes || days > 0, {
      path: ['extra_days'],
      message: 'At least one day longer',
    }),
    z.refine(({ closes_checkout: closes, extra_days: days }) => !closes || days === 0, {
      path: ['extra_days'],
      message: 'A closed checkout has no additional days',
    }),
  );
export type NoticeInput = z.infer<typeof noticeInputSchema>;

/** 'checkout is closed until Sat 5 Dec': what a notice does to the shop, for the admin. `today` is a calendar day. */
export function noticeText(notice: NoticeInput, today: number): string {
  const effect = parseNotice(notice);
  const { closes_checkout: closes, extra_days: days, first_day: first, last_day: last } = effect;
  const active = isActive(effect, today);
  const until = formatDay(last);
  const longer = `${String(days)} business ${days === 1 ? 'day' : 'days'} longer`;
  if (closes)
    return active
      ? `checkout is closed until ${until}`
      : `checkout closes on ${formatDay(first)}, until ${until}`;
  return active
    ? `delivery takes ${longer} until ${until}`
    : `delivery takes ${longer} from ${formatDay(first)} to ${until}`;
}
