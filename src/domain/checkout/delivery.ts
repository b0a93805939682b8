import { businessDays, dayMs, formatDay, indiaCalendarDay } from '#domain/calendar-day.ts';
import { isActive, type NoticeEffect } from '#domain/shop-notice.ts';

/*
 * When a parcel arrives, by the shipping policy: business days are Monday to Saturday, an order of a Sunday
 * counts from Monday, carriage begins when the parcel leaves. Public holidays are not known here; the admin's notice is.
 */

/** The first and the last day on which a parcel may arrive. */
export interface DeliveryWindow {
  first: number;
  last: number;
}

const isSunday = (day: number): boolean => new Date(day).getUTCDay() === 0;

/** The day that many working days after one; after none, the day itself or the next that is not off. */
export function addBusinessDays(day: number, count: number, isOff = isSunday): number {
  let date = day;
  while (isOff(date)) date += dayMs;
  for (let left = count; left > 0; left -= 1) {
    date += dayMs;
    while (isOff(date)) date += dayMs;
  }
  return date;
}

/**
 * When a parcel paid now arrives, from the texts of `src/shop/delivery.ts` for packing and carriage; null if they have no days. While
 * a notice closes checkout nothing is packed either: an order waits for its end, also one from before its first day.
 */
export function deliveryWindow(
  now: Date,
  processing: string,
  carriage: string,
  notice: NoticeEffect | null = null,
): DeliveryWindow | null {
  const packed = businessDays(processing);
  const carried = businessDays(carriage);
  if (!packed || !carried) return null;
  const today = indiaCalendarDay(now);
  const isClosed = (day: number): boolean =>
    isSunday(day) || (notice?.closes_checkout === true && isActive(notice, day));
  const extra = notice && isActive(notice, today) ? notice.extra_days : 0;
  const arrival = (end: 0 | 1): number =>
    addBusinessDays(addBusinessDays(today, packed[end] + extra, isClosed), carried[end]);
  return { first: arrival(0), last: arrival(1) };
}

/** 'Mon 30 Nov – Thu 3 Dec'. */
export const formatDeliveryWindow = ({ first, last }: DeliveryWindow): string =>
  `${formatDay(first)} – ${formatDay(last)}`;
