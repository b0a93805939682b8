import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { callFunction } from '../../server/platform/database.ts';
import { cachedJson } from '../../server/platform/http/cdn-cache.ts';
import { endpoint } from '../../server/platform/http/http.ts';

/** The CDN's tag of the cached codes. */
export const shownDiscountsTag = 'discounts';

/** GET /api/discounts: `{discounts}`, the codes that the cart shows to everybody with their last days. The CDN caches the response until a code changes. */
export default endpoint({
  route: 'discounts',
  method: 'GET',
  async handler() {
    const discounts = await callFunction('shown_discounts', {}, z.array(z.unknown()));
    return cachedJson({ discounts }, shownDiscountsTag);
  },
});

export const config: Config = { path: '/api/discounts' };
