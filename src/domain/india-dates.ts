import { shop } from '#settings/shop.ts';
import { indiaCalendarDay, isoDay } from './calendar-day.ts';

/** The shop keeps India's time, whatever clock the reader's device has. */
const timeZone = 'Asia/Kolkata';
const dayFormat = new Intl.DateTimeFormat(shop.locale, {
  timeZone,
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const moment = {
  timeZone,
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
} as const;
const momentFormat = new Intl.DateTimeFormat(shop.locale, moment);
const timeFormat = new Intl.DateTimeFormat(shop.locale, {
  timeZone,
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
});
const yearMomentFormat = new Intl.DateTimeFormat(shop.locale, { ...moment, year: 'numeric' });
const monthFormat = new Intl.DateTimeFormat(shop.locale, {
  timeZone: 'UTC',
  month: 'long',
  year: 'numeric',
});
// No parts of a date are read from formatted text: engines write '2026-11' and '11/2026' for the same locale.
const indiaYear = (date: Date): number => new Date(indiaCalendarDay(date)).getUTCFullYear();

const readDate = (text: string): Date | null => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
};

/** '2026-11-20T20:00:00Z' → '21 November 2026'. A text that is no date stays as it is. */
export function indiaDay(text: string): string {
  const date = readDate(text);
  return date ? dayFormat.format(date) : text;
}

/**
 * '2026-11-20T20:00:00Z' → '21 Nov, 1:30 am' (not broken before 'am'), with the year when it is not this one. A text
 * that is no date stays as it is.
 */
export function indiaMoment(text: string, now = new Date()): string {
  const date = readDate(text);
  if (!date) return text;
  const format = indiaYear(date) === indiaYear(now) ? momentFormat : yearMomentFormat;
  return format.format(date).replace(/\s(?=[ap]m$)/u, '\u00A0');
}

/** '2026-11-20T20:00:00Z' → '1:30 am'. A text that is no date stays as it is. */
export function indiaTime(text: string): string {
  const date = readDate(text);
  return date ? timeFormat.format(date).replace(/\s(?=[ap]m$)/u, '\u00A0') : text;
}

/** The last `count` months of India's calendar, the present one first: `{value: '2026-11', label: 'November 2026'}`. */
export function recentMonths(now: Date, count: number): { value: string; label: string }[] {
  const today = new Date(indiaCalendarDay(now));
  return Array.from({ length: count }, (_, back) => {
    const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1);
    return { value: isoDay(first).slice(0, 7), label: monthFormat.format(first) };
  });
}
