import type { Config } from '@netlify/functions';
import { indiaCalendarDay } from '#domain/calendar-day.ts';
import { cachedJson } from '#core/platform/http/cdn-cache.ts';
import { checkoutState } from '#core/payments/payment-provider.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { noticeTag, readNotice } from '#core/publishing/shop-notice.ts';

/**
 * GET /api/notice: the admin's notice until it is over, and whether its first day has come, and whether the shop sells, for every
 * page. The CDN caches the response until the notice changes, or a deploy brings other keys.
 */
export default endpoint({
  route: 'notice',
  method: 'GET',
  async handler({ context }) {
    const found = await readNotice();
    const begun = found !== null && Date.parse(found.first_day) <= indiaCalendarDay(new Date());
    // The pages of a visit share one request. The form of the notice promises a minute.
    return cachedJson({ notice: found, begun, checkout: checkoutState(context) }, noticeTag, 60);
  },
});

export const config: Config = { path: '/api/notice' };
