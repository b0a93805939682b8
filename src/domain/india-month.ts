import { indiaCalendarDay, isoDay } from './calendar-day.ts';

/** The text of a month, '2026-11', or null when it names none. */
export function readMonth(text: string | null): string | null {
  return /^20\d\d-(?:0[1-9]|1[0-2])$/u.test(text ?? '') ? text : null;
}

/** '2026-11-20T20:00:00Z' → '2026-11-21', the day in India as spreadsheets sort it; '' for no date. */
export function isoDateInIndia(text: string | null): string {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? '' : isoDay(indiaCalendarDay(date));
}
