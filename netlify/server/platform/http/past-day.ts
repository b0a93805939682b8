import { indiaCalendarDay } from '../../../../src/domain/calendar-day.ts';
import { HttpError } from './http-error.ts';

/** Throws 400 when a period is over already, with the message of its `last_day`. */
export function refusePastDay({ last_day: last }: { last_day: string }): void {
  if (Date.parse(last) >= indiaCalendarDay(new Date())) return;
  const message = 'The last day is in the past';
  throw new HttpError(400, 'invalid_request', message, { fields: { last_day: message } });
}
