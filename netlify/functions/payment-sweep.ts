import type { Config } from '@netlify/functions';
import { sweepCatalogue } from '../server/scheduled/sweep-catalogue.ts';
import { ConfigurationError } from '../server/platform/env.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { logLine } from '../server/platform/log.ts';
import { sendOutbox } from '../server/mail/outbox.ts';
import { getPaymentProvider } from '../server/payments/payment-provider.ts';
import { requestRefunds } from '../server/payments/refunds.ts';
import { sweepOrders } from '../server/scheduled/sweep-orders.ts';

/** Scheduled functions end after 30 seconds; one slow call may follow the last look at the clock. */
const budgetMs = 14_000;

/** Mail is worth sending when payments are off, and the other way round: a missing variable stops its own part only. */
async function part<T>(name: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigurationError) logLine({ task: name, error: error.message });
    else logLine({ task: name, error: error instanceof Error ? error.name : typeof error });
    return null;
  }
}

/**
 * Every five minutes: unpaid orders whose time has come, refunds that are due, mail that waits, the admin's changes
 * that are not published yet. Responds with a summary.
 */
export default endpoint({
  route: 'payment-sweep',
  method: 'ANY',
  async handler({ request, context }) {
    const deadline = Date.now() + budgetMs;
    const orders = await part('sweep', () => sweepOrders(getPaymentProvider({ context }), 20, deadline));
    const refunds = await part('refunds', () => requestRefunds(getPaymentProvider({ context }), 10, deadline));
    const mail = await part('outbox', () => sendOutbox(20, deadline));
    const catalogue = Date.now() > deadline ? null : await part('owner', () => sweepCatalogue(request));
    return json({ orders, refunds, mail, owner: catalogue });
  },
});

export const config: Config = { schedule: '*/5 * * * *' };
