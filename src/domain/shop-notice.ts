import { dayMs, formatDay } from './calendar-day.ts';
import * as v from './validate.ts';

const boolean: v.Validator<boolean> = (value) => {
  if (typeof value === 'boolean') return value;
  throw new v.ValidationError('Neither yes nor no');
};

const effect = {
  first_day: v.calendarDay,
  last_day: v.calendarDay,
  closes_checkout: boolean,
  extra_days: v.nonNegativeInt,
};

const parseNoticeEffect = v.object(effect);
/**
 * The effect of the admin's notice from its first to its last day, both included: checkout is closed, or a parcel takes
 * `extra_days` business days longer.
 */
export type NoticeEffect = ReturnType<typeof parseNoticeEffect>;

/** The effect of a notice, as stored in an order; null for anything that cannot be read. */
export function readNoticeEffect(value: unknown): NoticeEffect | null {
  try {
    return parseNoticeEffect(value);
  } catch {
    return null;
  }
}

/** Reads a row of `shop_notice`. Throws ValidationError. */
export const parseNotice = v.object({ message: v.nonEmptyString, ...effect });
export type ShopNotice = ReturnType<typeof parseNotice>;

/** Whether a notice counts on this calendar day. */
export const isActive = (notice: NoticeEffect, today: number): boolean =>
  notice.first_day <= today && today <= notice.last_day;

/** Whether checkout is closed on this calendar day. */
export const closesCheckout = (notice: NoticeEffect | null, today: number): boolean =>
  notice?.closes_checkout === true && isActive(notice, today);

/** 'Checkout opens again on Sun 6 Dec.' */
export const reopeningText = (lastDay: number): string =>
  `Checkout opens again on ${formatDay(lastDay + dayMs)}.`;

/** The effect of the notice in words, to stand after the owner's own. */
export function noticeEffectText({
  closes_checkout: closes,
  extra_days: days,
  last_day: last,
}: NoticeEffect): string {
  if (closes) return reopeningText(last);
  return `Orders made until ${formatDay(last)} take ${String(days)} business ${days === 1 ? 'day' : 'days'} longer.`;
}
