import type { Config } from '@netlify/functions';
import { cachedJson } from '#core/platform/http/cdn-cache.ts';
import { endpoint } from '#core/platform/http/http.ts';
import {
  readShownDiscounts,
  shownDiscountsTag,
} from '#netlify/features/discounts/shown-discounts.ts';

/** GET /api/discounts: `{discounts}`, the codes that the cart shows to everybody with their last days. The CDN caches the response until a code changes. */
export default endpoint({
  route: 'discounts',
  method: 'GET',
  async handler() {
    return cachedJson({ discounts: await readShownDiscounts() }, shownDiscountsTag);
  },
});

export const config: Config = { path: '/api/discounts' };
