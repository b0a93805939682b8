/*
 * Days of the calendar, as milliseconds of midnight in UTC: they compare as numbers, and `Date.parse('2026-12-05')` is one.
 */
export const dayMs = 86_400_000;
const indiaAheadMs = 5.5 * 3_600_000;

/** The calendar day of a moment in India, whatever clock the device has. */
export function indiaCalendarDay(now: Date): number {
  return Math.floor((now.getTime() + indiaAheadMs) / dayMs) * dayMs;
}

// A page's first `Intl.DateTimeFormat` takes a slow phone 50 ms to make.
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'] as const;

/** 'Sat 5 Dec', as en-IN writes days. */
export function formatDay(day: number): string {
  const date = new Date(day);
  return `${weekdays[date.getUTCDay()] ?? ''} ${String(date.getUTCDate())} ${months[date.getUTCMonth()] ?? ''}`;
}
