import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { alertOfSilence } from '../server/health/silence-alerts.ts';
import { callFunction } from '../server/platform/database.ts';
import { sweepCatalogue } from '../server/scheduled/sweep-catalogue.ts';
import { ConfigurationError } from '../server/platform/env.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { logLine } from '../server/platform/log.ts';
import { sendOutbox } from '../server/mail/outbox.ts';
import { getPaymentProvider } from '../server/payments/payment-provider.ts';
import { issueCreditNotes } from '../server/orders/credit-notes.ts';
import { pollRefunds, requestRefunds } from '../server/payments/refunds.ts';
import { forgetWhenDue } from '../server/scheduled/forget.ts';
import { queueBackInStock } from '../server/scheduled/queue-back-in-stock.ts';
import { reconcileWhenDue } from '../server/scheduled/reconcile.ts';
import { sweepOrders } from '../server/scheduled/sweep-orders.ts';

/** Scheduled functions end after 30 seconds; one slow call of 9 seconds may follow the last look at the clock. */
const budgetMs = 18_000;
/** So many orders a run: at three quarters of a second a call, eight at once, they fill the time. */
const ordersPerRun = 200;

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

type Counts = Readonly<Record<string, number>> | null;

/** The sums of two counts; null when a part could not run. */
function add(first: Counts, second: Counts): Counts {
  if (first === null || second === null) return null;
  return Object.fromEntries(
    Object.entries(first).map(([name, count]) => [name, count + (second[name] ?? 0)]),
  );
}

/**
 * Every five minutes: refunds that are due and credit notes of those done, mail that waits, unpaid orders whose time has come, what Razorpay has and the
 * shop does not, the catalogue's changes that are not published yet. The parts run side by side, so that a long list of one
 * never keeps another waiting. Answers a summary. The platform calls it by POST; somebody else who did so would find leased
 * work only: it does nothing that the next run would not do.
 */
export default endpoint({
  route: 'payment-sweep',
  method: 'POST',
  async handler({ request, context }) {
    const deadline = Date.now() + budgetMs;
    const sendDue = async (): Promise<{ refunds: Counts; mail: Counts }> => ({
      refunds: await part('refunds', () =>
        requestRefunds(getPaymentProvider({ context }), 20, deadline),
      ),
      mail: await part('outbox', () => sendOutbox(40, deadline)),
    });
    // Before this run counts: what it finds of the ones before it is mailed by this one.
    await part('silence', alertOfSilence);
    await part('back in stock', queueBackInStock);
    const [first, polled, orders, reconciled, catalogue] = await Promise.all([
      sendDue(),
      part('poll refunds', () => pollRefunds(getPaymentProvider({ context }), 20, deadline)),
      part('sweep', () => sweepOrders(getPaymentProvider({ context }), ordersPerRun, deadline)),
      part('reconcile', () => reconcileWhenDue(getPaymentProvider({ context }))),
      part('catalogue', () => sweepCatalogue(request)),
    ]);
    // What was confirmed just now is refunded and told at once.
    const then = await sendDue();
    const refunds = add(first.refunds, then.refunds);
    const mail = add(first.mail, then.mail);
    const creditNotes = await part('credit notes', () => issueCreditNotes({ deadline }));
    const forgotten = await part('forget', () => forgetWhenDue(deadline));
    await part('heartbeat', () => callFunction('note_sweep', {}, z.unknown()));
    return json({ refunds, mail, polled, orders, reconciled, catalogue, creditNotes, forgotten });
  },
});

export const config: Config = { schedule: '*/5 * * * *' };
