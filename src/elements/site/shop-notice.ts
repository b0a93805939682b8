import { indiaCalendarDay } from '../../domain/calendar-day.ts';
import { isActive, noticeEffectText } from '../../domain/shop-notice.ts';
import { $notice, refreshNotice } from '../../stores/shop-notice.ts';

/**
 * The bar with the owner's notice at the bottom of the screen, where its coming and going moves nothing. Built with the page,
 * then corrected: by today's date, and by what the owner has changed since.
 */
class ShopNotice extends HTMLElement {
  connectedCallback(): void {
    $notice.subscribe((notice) => {
      this.hidden = !notice || !isActive(notice, indiaCalendarDay(new Date()));
      const [message, effect] = this.querySelectorAll('span');
      if (!notice || !message || !effect) return;
      message.textContent = notice.message;
      effect.textContent = noticeEffectText(notice);
    });
    void refreshNotice();
  }
}

customElements.define('shop-notice', ShopNotice);
