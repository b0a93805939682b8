/*
 * Days of the calendar, as milliseconds of midnight in UTC: they compare as numbers, and `Date.parse('2026-12-05')` is one.
 */
export const dayMs = 86_400_000;
const indiaAheadMs = 5.5 * 3_600_000;

/** The calendar day of a moment in India, whatever clock the device has. */
export function indiaCalendarDay(now: Date): number {
  return Math.floor((now.getTime() + indiaAheadMs) / dayMs) * dayMs;
}

/** A calendar day as '2026-12-05'. */
export const isoDay = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** The moment at which a calendar day begins in India, in ms since the epoch. @public */
export const indiaMidnight = (day: number): number => day - indiaAheadMs;

/** '5 Dec', for where a weekday has no room. */
export const formatShortDay = (day: number): string => formatDay(day).replace(/^\w+ /u, '');

/**
 * 'Sat 5 Dec', from 'Sat, 05 Dec 2026 00:00:00 GMT' (the format is ECMAScript's own). A page's first `Intl.DateTimeFormat` takes
 * a slow phone 50 ms to make.
 */
export const formatDay = (day: number): string =>
  new Date(day).toUTCString().replace(/, 0?/u, ' ').slice(0, -18);

/** '5-7 business days' → [5, 7]; '2 business days' → [2, 2]; null without a number. */
export function businessDays(text: string): readonly [min: number, max: number] | null {
  const [min, max = min] = Array.from(text.matchAll(/\d+/gu), ([digits]) => Number(digits));
  return min === undefined || max === undefined || max < min ? null : [min, max];
}
