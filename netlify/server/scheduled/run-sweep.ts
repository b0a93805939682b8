import * as z from 'zod/mini';
import { alertOfSilence } from '../health/silence-alerts.ts';
import { sendOutbox } from '../mail/outbox.ts';
import { issueCreditNotes } from '../orders/documents/credit-notes.ts';
import { settlePaymentOrigins } from '../payments/payment-origin.ts';
import { getPaymentProvider } from '../payments/payment-provider.ts';
import { pollRefunds, requestRefunds } from '../payments/refunds.ts';
import { writeShopSettings } from '../publishing/shop-settings.ts';
import { causeOf } from '../platform/cause-of.ts';
import { callFunction, callNewFunction } from '../platform/database.ts';
import type { RequestContext } from '../platform/http/http.ts';
import { logLine } from '../platform/log.ts';
import { sweepSteps } from '../../places/sweep-step.ts';
import type { SweepStep } from './sweep-step.ts';
import { forgetWhenDue } from './forget.ts';
import { reconcileWhenDue } from './reconcile.ts';
import { sweepCatalogue } from './sweep-catalogue.ts';
import { sweepOrders } from './sweep-orders.ts';
import { waitUntil } from './time-limit.ts';
import { seller } from '../../../src/settings/seller.ts';

/**
 * The stages of a run, in ms after its start: a stage begins nothing after the first figure, and is not waited for after
 * the second one.
 */
export type StageLimits = Readonly<
  Record<'alerts' | 'first' | 'second' | 'last' | 'heartbeat', readonly [number, number]>
>;

/** Netlify ends a scheduled function after 30 seconds. */
const platformLimits: StageLimits = {
  alerts: [0, 3_000],
  first: [14_000, 18_000],
  second: [20_500, 22_500],
  last: [23_500, 25_000],
  heartbeat: [0, 29_000],
};
/** At half a second a call, eight at once, so many orders fill the first stage. */
const ordersPerRun = 200;

type Counts = Readonly<Record<string, number>> | null;

/** The sums of two counts; null when a part could not run. */
function add(first: Counts, second: Counts): Counts {
  if (first === null || second === null) return null;
  return Object.fromEntries(
    Object.entries(first).map(([name, count]) => [name, count + (second[name] ?? 0)]),
  );
}

/** The outcome of each part of a run; null when it could not run, or was not done at its stage's end. */
export type SweepRun = Readonly<Record<string, unknown>>;

/**
 * One run of the background work. The parts of a stage run side by side, each until a deadline of its own, and a part that
 * hangs is left behind: a long list, or a server that does not answer, keeps no other part waiting and never keeps the run
 * from its end. What a part leaves, the next run takes up; all of it is leased or can be done twice.
 */
export async function runSweep(
  { request, context }: Pick<RequestContext, 'request' | 'context'>,
  limits: StageLimits = platformLimits,
): Promise<SweepRun> {
  const start = Date.now();

  /** Runs one part. Mail is sent without payments, and vice versa: a missing variable stops its own part only. */
  async function part<T>(
    name: string,
    stage: keyof StageLimits,
    work: (deadline: number) => Promise<T>,
  ): Promise<T | null> {
    const [deadline, end] = limits[stage];
    try {
      return await waitUntil(start + end, work(start + deadline));
    } catch (error) {
      logLine({ task: name, error: causeOf(error) });
      return null;
    }
  }
  const steps = (stage: SweepStep['stage']): Promise<unknown>[] =>
    sweepSteps
      .filter((step) => step.stage === stage)
      .map(({ name, run }) => part(name, stage, (deadline) => run({ request, context, deadline })));
  const sendDue = async (stage: 'first' | 'second'): Promise<{ refunds: Counts; mail: Counts }> => {
    const [refunds, mail] = await Promise.all([
      part('refunds', stage, (deadline) =>
        requestRefunds(getPaymentProvider({ context }), 20, deadline),
      ),
      part('outbox', stage, (deadline) => sendOutbox(40, deadline)),
    ]);
    return { refunds, mail };
  };

  // First, so that the alerts about earlier runs are mailed by this one.
  await Promise.all([
    part('silence', 'alerts', alertOfSilence),
    ...steps('alerts'),
    // Netlify does not repeat the event of a deploy.
    part('settings', 'alerts', writeShopSettings),
  ]);
  const [first, polled, origins, orders, reconciled, catalogue] = await Promise.all([
    sendDue('first'),
    part('poll refunds', 'first', (deadline) =>
      pollRefunds(getPaymentProvider({ context }), 20, deadline),
    ),
    part('payment origins', 'first', (deadline) =>
      settlePaymentOrigins(getPaymentProvider({ context }), { deadline }),
    ),
    part('sweep', 'first', (deadline) =>
      sweepOrders(getPaymentProvider({ context }), ordersPerRun, deadline),
    ),
    part('reconcile', 'first', (deadline) =>
      reconcileWhenDue(getPaymentProvider({ context }), deadline),
    ),
    part('catalogue', 'first', () => sweepCatalogue(request)),
  ]);
  // Refunds and mails of the orders that were confirmed just now.
  const then = await sendDue('second');
  const [creditNotes, forgotten] = await Promise.all([
    part('credit notes', 'last', (deadline) => issueCreditNotes({ deadline })),
    part('forget', 'last', forgetWhenDue),
    ...steps('last'),
  ]);
  await part('heartbeat', 'heartbeat', () =>
    callNewFunction(
      'note_sweep',
      { p_stranger_mails: seller.mails.fromStrangersPerDay },
      z.unknown(),
      () => callFunction('note_sweep', {}, z.unknown()),
    ),
  );
  const refunds = add(first.refunds, then.refunds);
  const mail = add(first.mail, then.mail);
  return { refunds, mail, polled, origins, orders, reconciled, catalogue, creditNotes, forgotten };
}
