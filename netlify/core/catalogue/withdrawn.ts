import * as z from 'zod/mini';
import { refreshCached } from '#core/platform/http/cdn-cache.ts';
import { callFunction, callNewFunction } from '#core/platform/database.ts';

/** The CDN's name for everything that lists what was withdrawn. */
export const withdrawnTag = 'withdrawn-products';

const idsSchema = z.array(z.string());

/** What the site of a catalogue version still has although it is gone, newest first; at most 500 of each. */
export interface Withdrawn {
  /** Deleted and hidden products. */
  ids: string[];
  /** Products with a review that was hidden or erased. */
  reviewed: string[];
}

/** Reads what was withdrawn since the site of this catalogue version was built. */
export async function listWithdrawn(liveVersion: number): Promise<Withdrawn> {
  const args = { p_after_version: liveVersion, p_limit: 500 };
  const [ids, reviewed] = await Promise.all([
    callFunction('withdrawn_products', args, idsSchema),
    callNewFunction('withdrawn_reviews', args, idsSchema, 'of release 1.3.2', () =>
      Promise.resolve([]),
    ),
  ]);
  return { ids, reviewed };
}

/** Call it when a product was deleted, hidden or shown again, or a published review was hidden or erased. */
export const announceWithdrawal = (request: Request): Promise<void> =>
  refreshCached(request, withdrawnTag, '/api/catalogue/withdrawn');
