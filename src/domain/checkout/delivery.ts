/*
 * When a parcel arrives, as the shipping policy says it: business days are Monday to Saturday, an order of a Sunday
 * counts from Monday, carriage begins when the parcel leaves. Public holidays are not known here. Days are
 * milliseconds of midnight, so that they compare and are formatted in UTC.
 */

const dayMs = 86_400_000;
const indiaAheadMs = 5.5 * 3_600_000;

/** The first and the last day on which a parcel may arrive. */
export interface DeliveryWindow {
  first: number;
  last: number;
}

/** '5-7 business days' → [5, 7]; '2 business days' → [2, 2]; null without a number. */
export function businessDays(text: string): readonly [min: number, max: number] | null {
  const [min, max = min] = Array.from(text.matchAll(/\d+/gu), ([digits]) => Number(digits));
  return min === undefined || max === undefined || max < min ? null : [min, max];
}

/** The calendar day of a moment in India, whatever clock the device has. */
export function indiaCalendarDay(now: Date): number {
  return Math.floor((now.getTime() + indiaAheadMs) / dayMs) * dayMs;
}

const isSunday = (day: number): boolean => new Date(day).getUTCDay() === 0;

/** The day that many business days after one; after none, the day itself or the Monday after a Sunday. */
export function addBusinessDays(day: number, count: number): number {
  let date = isSunday(day) ? day + dayMs : day;
  for (let left = count; left > 0; left -= 1) {
    date += dayMs;
    if (isSunday(date)) date += dayMs;
  }
  return date;
}

/** When a parcel paid now arrives, from the texts of shop.config for packing and carriage; null if they have no days. */
export function deliveryWindow(now: Date, processing: string, carriage: string): DeliveryWindow | null {
  const packed = businessDays(processing);
  const carried = businessDays(carriage);
  if (!packed || !carried) return null;
  const today = indiaCalendarDay(now);
  return {
    first: addBusinessDays(today, packed[0] + carried[0]),
    last: addBusinessDays(today, packed[1] + carried[1]),
  };
}
