import { formatDay } from '../calendar-day.ts';
import { isActive, parseNotice } from '../shop-notice.ts';
import type { NoticeInput } from './notice-input.ts';

/** 'checkout is closed until Sat 5 Dec': what a notice does to the shop, for the admin. `today` is a calendar day. */
export function noticeText(notice: NoticeInput, today: number): string {
  const effect = parseNotice(notice);
  const { closes_checkout: closes, extra_days: days, first_day: first, last_day: last } = effect;
  const active = isActive(effect, today);
  const until = formatDay(last);
  const longer = `${String(days)} business ${days === 1 ? 'day' : 'days'} longer`;
  if (closes)
    return active
      ? `checkout is closed until ${until}`
      : `checkout closes on ${formatDay(first)}, until ${until}`;
  return active
    ? `delivery takes ${longer} until ${until}`
    : `delivery takes ${longer} from ${formatDay(first)} to ${until}`;
}
