import { indiaCalendarDay } from '../../domain/calendar-day.ts';
import { isActive, noticeEffectText } from '../../domain/shop-notice.ts';
import { $notice, takeNotice } from '../../stores/shop-notice.ts';

/** Keeps the bar at the shop's notice. `answer` is what the server said of it; undefined: nothing, and the page stays as it was built. */
export function showNotice(bar: HTMLElement, answer: unknown): void {
  if (answer !== undefined) takeNotice(answer);
  $notice.subscribe((notice) => {
    bar.hidden = !notice || !isActive(notice, indiaCalendarDay(new Date()));
    const [message, effect] = bar.querySelectorAll('span');
    if (!notice || !message || !effect) return;
    message.textContent = notice.message;
    effect.textContent = noticeEffectText(notice);
  });
}
