import * as z from 'zod/mini';
import { refreshCached } from '#core/platform/http/cdn-cache.ts';
import { callFunction } from '#core/platform/database.ts';

/** The CDN's name for everything that lists withdrawn products. */
export const withdrawnTag = 'withdrawn-products';

/** Ids of deleted and hidden products that the site of this catalogue version still has pages of, newest first; at most 500. */
export async function listWithdrawn(liveVersion: number): Promise<string[]> {
  return callFunction(
    'withdrawn_products',
    { p_after_version: liveVersion, p_limit: 500 },
    z.array(z.string()),
  );
}

/** Call it when a product was deleted, hidden or shown again. */
export const announceWithdrawal = (request: Request): Promise<void> =>
  refreshCached(request, withdrawnTag, '/api/catalogue/withdrawn');
