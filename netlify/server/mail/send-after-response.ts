import { afterResponse } from '../platform/background.ts';
import type { RequestContext } from '../platform/http.ts';
import { logLine } from '../platform/log.ts';
import { sendOutbox } from './outbox.ts';
import { getPaymentProvider } from '../payments/payment-provider.ts';
import { requestRefunds } from '../payments/refunds.ts';

/** The admin waits for these calls: one that hangs must leave time for the response. */
const budgetMs = 4_000;

/**
 * Asks the provider at once for refunds that are due. Whatever goes wrong, the refund stays due and the sweep asks
 * again: the admin's request has been stored.
 */
export async function sendRefundsNow(ctx: Pick<RequestContext, 'context'>): Promise<void> {
  try {
    await requestRefunds(getPaymentProvider(ctx), 5, Date.now() + budgetMs);
  } catch (error) {
    logLine({ task: 'refunds', error: error instanceof Error ? error.name : typeof error });
  }
}

/** Sends waiting mail after the response. */
export const sendOutboxAfterResponse = ({
  context,
}: Pick<RequestContext, 'context'>): Promise<void> =>
  afterResponse(context, 'outbox', () => sendOutbox());
