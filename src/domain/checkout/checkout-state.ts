import { formatDay } from '#domain/calendar-day.ts';

/**
 * Whether the shop sells: `open`; `test`, with keys that take no money, where named addresses can go on; or `closed`, without keys.
 * In both of the last the shop is open to look at.
 */
export type CheckoutState = 'open' | 'test' | 'closed';

/**
 * When a shop that does not sell yet will: 'opens on Thu 10 Dec' or 'opens soon'. `opensOn` as YYYY-MM-DD, undefined when it is not
 * known; `today` as a calendar day.
 */
export function openingText(opensOn: string | undefined, today: number): string {
  const day = Date.parse(opensOn ?? '');
  return day > today ? `opens on ${formatDay(day)}` : 'opens soon';
}
