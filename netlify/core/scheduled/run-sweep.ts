import { alertOfSilence } from '#core/health/silence-alerts.ts';
import { sendOutbox } from '#core/mail/outbox.ts';
import { watchMailServer } from '#core/mail/transport.ts';
import { issueCreditNotes } from '#core/orders/documents/credit-notes.ts';
import { settlePaymentOrigins } from '#core/payments/payment-origin.ts';
import { getPaymentProvider } from '#core/payments/payment-provider.ts';
import type { PaymentProvider } from '#core/payments/razorpay.ts';
import { pollRefunds, remindOfDisputes, requestRefunds } from '#core/payments/refunds.ts';
import { writeShopSettings } from '#core/publishing/shop-settings.ts';
import { causeOf } from '#core/platform/cause-of.ts';
import type { RequestContext } from '#core/platform/http/http.ts';
import { logLine } from '#core/platform/log.ts';
import { sweepSteps } from '#netlify/places/sweep-step.ts';
import { allDue, beginSweep, noteSweep, type SweepStart } from './begin-sweep.ts';
import { forgetWhenDue } from './forget.ts';
import { reconcileWhenDue } from './reconcile.ts';
import { sweepCatalogue } from './sweep-catalogue.ts';
import { sweepOrders } from './sweep-orders.ts';
import { waitUntil } from './time-limit.ts';

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
/** How many orders fill the first stage, with calls of half a second, eight at once. */
const ordersPerRun = 200;

/** The outcome of each part of a run; null when it could not run, or was not done at its stage's end. Idle parts have none. */
export type SweepRun = Readonly<Record<string, unknown>>;

type Stage = Exclude<keyof StageLimits, 'heartbeat'>;

interface Part {
  /** Its name in the log, and in SQL `idle_steps`. */
  name: string;
  stages: readonly Stage[];
  /** Its key in the outcome of the run; without one its outcome is left out. */
  key?: string;
  /** Begins nothing after the deadline (ms since the epoch). */
  work: (deadline: number) => Promise<unknown>;
}

/** Every part of a run. What SQL `idle_steps` does not know always runs. */
function partsOf(
  { request, context }: Pick<RequestContext, 'request' | 'context'>,
  { catalogueState }: SweepStart,
): Part[] {
  const provider = (): PaymentProvider => getPaymentProvider({ context });
  const part = (name: string, key: string, stages: readonly Stage[], work: Part['work']): Part => ({
    name,
    key,
    stages,
    work,
  });
  return [
    // The alerts come first, so that this run mails those about earlier runs.
    { name: 'silence', stages: ['alerts'], work: alertOfSilence },
    { name: 'disputes', stages: ['alerts'], work: remindOfDisputes },
    { name: 'mail server', stages: ['alerts'], work: watchMailServer },
    // Netlify does not repeat the event of a deploy.
    { name: 'settings', stages: ['alerts'], work: writeShopSettings },
    // They run twice, because the orders that the first stage confirms have refunds and mails, too.
    part('refunds', 'refunds', ['first', 'second'], (deadline) =>
      requestRefunds(provider(), 20, deadline),
    ),
    part('outbox', 'mail', ['first', 'second'], (deadline) => sendOutbox(40, deadline)),
    part('poll refunds', 'polled', ['first'], (deadline) => pollRefunds(provider(), 20, deadline)),
    part('payment origins', 'origins', ['first'], (deadline) =>
      settlePaymentOrigins(provider(), { deadline }),
    ),
    part('sweep', 'orders', ['first'], (deadline) =>
      sweepOrders(provider(), ordersPerRun, deadline),
    ),
    part('reconcile', 'reconciled', ['first'], (deadline) =>
      reconcileWhenDue(provider(), deadline),
    ),
    part('catalogue', 'catalogue', ['first'], () => sweepCatalogue(request, catalogueState)),
    part('credit notes', 'creditNotes', ['last'], (deadline) => issueCreditNotes({ deadline })),
    part('forget', 'forgotten', ['last'], forgetWhenDue),
    ...sweepSteps.map(({ name, stage, run }) => ({
      name,
      stages: [stage],
      work: (deadline: number) => run({ request, context, deadline }),
    })),
  ];
}

/** The sums of the counts of two stages; null when the part could not run in one of them. */
function add(first: unknown, second: unknown): unknown {
  if (first === null || second === null) return null;
  const counts = second as Readonly<Record<string, number>>;
  return Object.fromEntries(
    Object.entries(first as typeof counts).map(([name, count]) => [
      name,
      count + (counts[name] ?? 0),
    ]),
  );
}

/**
 * One run of the background work. The parts of a stage run side by side, each until a deadline of its own, and a part that
 * hangs is left behind: a long list, or a server that does not answer, keeps no other part waiting and never keeps the run
 * from its end. What a part leaves, the next run takes up; all of it is leased or can be done twice.
 *
 * A part with nothing due is left out, until a part of an earlier stage has run: that may have made something due. A run with nothing
 * due makes one call to the database and no other.
 */
export async function runSweep(
  ctx: Pick<RequestContext, 'request' | 'context'>,
  limits: StageLimits = platformLimits,
): Promise<SweepRun> {
  const start = Date.now();

  /** Runs one part. Mail is sent without payments, and vice versa: a missing variable stops its own part only. */
  async function attempt<T>(
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

  const names = partsOf(ctx, allDue).map(({ name }) => name);
  const begun = (await attempt('begin', 'alerts', () => beginSweep(names))) ?? allDue;
  if (begun.isOver) return {};
  const outcome: Record<string, unknown> = {};
  const parts = partsOf(ctx, begun);
  let hasRun = false;
  for (const stage of ['alerts', 'first', 'second', 'last'] as const) {
    const due = parts.filter(
      ({ name, stages }) => stages.includes(stage) && (hasRun || !begun.idle.includes(name)),
    );
    hasRun ||= due.length > 0;
    await Promise.all(
      due.map(async ({ name, key, work }) => {
        const result = await attempt(name, stage, work);
        if (key !== undefined) outcome[key] = key in outcome ? add(outcome[key], result) : result;
      }),
    );
  }
  await attempt('heartbeat', 'heartbeat', noteSweep);
  return outcome;
}
