/*
 * Days of the calendar, as milliseconds of midnight in UTC: they compare as numbers, and `Date.parse('2026-12-05')` is one.
 */
export const dayMs = 86_400_000;
const indiaAheadMs = 5.5 * 3_600_000;

/** The calendar day of a moment in India, whatever clock the device has. */
export function indiaCalendarDay(now: Date): number {
  return Math.floor((now.getTime() + indiaAheadMs) / dayMs) * dayMs;
}

const dayFormat = new Intl.DateTimeFormat('en-IN', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' });

/** 'Sat 5 Dec'. */
export const formatDay = (day: number): string => dayFormat.format(day).replace(',', '');
