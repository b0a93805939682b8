import { indiaCalendarDay } from '#domain/calendar-day.ts';
import { isActive, noticeEffectText } from '#domain/shop-notice.ts';
import { afterPaint } from '#elements/motion/after-paint.ts';
import { $notice, refreshNotice } from '#stores/shop-notice.ts';

/** Keeps the bar up to date. */
export function showNotice(bar: HTMLElement): void {
  $notice.subscribe((notice) => {
    bar.hidden = !notice || !isActive(notice, indiaCalendarDay(new Date()));
    const [message, effect] = bar.querySelectorAll('span');
    if (!notice || !message || !effect) return;
    message.textContent = notice.message;
    effect.textContent = noticeEffectText(notice);
  });
  // The page's images come first: requests of scripts have a higher priority.
  afterPaint(() => void refreshNotice());
}
