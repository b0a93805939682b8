import * as z from 'zod/mini';
import { dayMs, indiaCalendarDay } from './calendar-day.ts';

const day = z.iso.date('Choose a day');

/** The days of a period as forms send them, such as '2026-12-05'. Both belong to it. */
export const periodShape = { first_day: day, last_day: day };
type Period = z.infer<z.ZodMiniObject<typeof periodShape>>;

/** Refuses a last day before the first, and one more than `maxDays` days after it with the message `tooLong`. */
export const periodChecks = (maxDays: number, tooLong: string) => [
  z.refine<Period>(({ first_day: first, last_day: last }) => first <= last, {
    path: ['last_day'],
    message: 'The last day comes before the first',
  }),
  z.refine<Period>(
    ({ first_day: first, last_day: last }) =>
      Date.parse(last) - Date.parse(first) <= maxDays * dayMs,
    { path: ['last_day'], message: tooLong },
  ),
];

/** Refuses a period that is over in India. It validates new periods alone, because a stored one may end while it is read. */
export const endsTodayOrLater = z.refine<Period>(
  ({ last_day: last }) => Date.parse(last) >= indiaCalendarDay(new Date()),
  { path: ['last_day'], message: 'The last day is in the past' },
);
