import * as z from 'zod/mini';
import { callFunction } from '#core/platform/database.ts';
import { listCount, type PaymentProvider } from '#core/payments/razorpay.ts';
import { runSchema, steps, type Page, type Run } from './reconcile-steps.ts';

const nextSteps = {
  payments: 'refunds',
  refunds: 'disputes',
  disputes: 'unlisted',
  unlisted: null,
} as const;

/** The run as it stands after this page, null when it has come to its end. */
function nextOf(run: Run, { isDone, isLast }: Page): Run | null {
  if (!isDone) return run;
  if (!isLast) return { ...run, skip: run.skip + listCount };
  const step = nextSteps[run.step];
  return step === null ? null : { ...run, step, skip: 0 };
}

/**
 * Compares Razorpay's payments, refunds and disputes with the records: once a day, and when the provider could be reached
 * again after an outage. Resolves what it can and lists the rest for the admin. Reads page by page until
 * `deadline` (ms since the epoch); the next call goes on where this one stopped. Returns what this call found, null when
 * nothing is due. Throws PaymentProviderError when the provider does not answer.
 */
export async function reconcileWhenDue(
  provider: PaymentProvider,
  deadline: number,
): Promise<{
  payments: number;
  differences: number;
  resolved: number;
  isFinished: boolean;
} | null> {
  let run = await callFunction('next_reconciliation', {}, z.nullable(runSchema));
  if (run === null) return null;
  const total = { payments: 0, differences: 0, resolved: 0, isFinished: false };
  while (run !== null && Date.now() < deadline) {
    const page: Page = await steps[run.step](provider, run, deadline);
    const next: Run | null = nextOf(run, page);
    // A page that is read again finds its unresolved entries again.
    const differences = page.differences.filter(({ resolved }) => page.isDone || resolved !== null);
    const moved = await callFunction(
      'advance_reconciliation',
      {
        p_id: run.id,
        p_step: run.step,
        p_skip: run.skip,
        p_next_step: next?.step ?? null,
        p_next_skip: next?.skip ?? 0,
        p_payments: page.payments,
        p_differences: differences,
      },
      z.boolean(),
    );
    // Another run advanced this reconciliation.
    if (!moved) break;
    total.payments += page.payments;
    total.differences += differences.length;
    total.resolved += differences.filter(({ resolved }) => resolved !== null).length;
    total.isFinished = next === null;
    run = next;
  }
  return total;
}
