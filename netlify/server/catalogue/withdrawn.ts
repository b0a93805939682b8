import { purgeCache } from '@netlify/functions';
import * as z from 'zod/mini';
import { callFunction } from '../platform/database.ts';
import { purgeEnv } from '../platform/env.ts';
import { logLine } from '../platform/log.ts';
import { staticOrigin } from '../platform/static-page.ts';

/** Where the list of withdrawn products is asked for. */
const withdrawnPath = '/api/catalogue/withdrawn';

/** The CDN's name for everything that lists withdrawn products. */
export const withdrawnTag = 'withdrawn-products';

/** Ids of deleted and hidden products that the site of this catalogue version still has pages of, newest first; at most 500. */
export async function listWithdrawn(liveVersion: number): Promise<string[]> {
  return callFunction('withdrawn_products', { p_after_version: liveVersion, p_limit: 500 }, z.array(z.string()));
}

/**
 * To be called when a product was deleted, hidden or shown again. Makes the CDN forget the list and fetch it anew, so that the next visitor need not wait for it. Where there is no
 * CDN, or it does not listen, the list is old for half a minute.
 */
export async function announceWithdrawal(request: Request): Promise<void> {
  const { CDN_API_URL: apiURL } = purgeEnv();
  try {
    await purgeCache({ tags: [withdrawnTag], ...(apiURL === undefined ? {} : { apiURL }) });
    const answer = await fetch(new URL(withdrawnPath, staticOrigin(request)), { signal: AbortSignal.timeout(5_000) });
    await answer.body?.cancel();
  } catch (error) {
    logLine({ task: 'purge', error: error instanceof Error ? error.name : typeof error });
  }
}
