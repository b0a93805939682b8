import { causeOf } from '#core/platform/cause-of.ts';
import type { RequestContext } from '#core/platform/http/http.ts';
import { logLine } from '#core/platform/log.ts';
import { getPaymentProvider } from './payment-provider.ts';
import { requestRefunds } from './refunds.ts';

/** Time limit (ms): the admin waits for these calls, and a hanging one must leave time for the response. */
const budgetMs = 4_000;

/**
 * Requests refunds that are due at once. On any failure the refund stays due and the sweep retries
 * it: the admin's request is stored.
 */
export async function sendRefundsNow(ctx: Pick<RequestContext, 'context'>): Promise<void> {
  try {
    await requestRefunds(getPaymentProvider(ctx), 5, Date.now() + budgetMs);
  } catch (error) {
    logLine({ task: 'refunds', error: causeOf(error) });
  }
}
