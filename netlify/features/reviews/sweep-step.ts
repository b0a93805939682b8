import * as z from 'zod/mini';
import { askAfterDays } from '#settings/reviews.ts';
import { callFunction } from '#core/platform/database.ts';
import type { SweepStep } from '#core/scheduled/sweep-step.ts';

/** Mails queued by a run, fewer than it sends, so that those of orders are not kept waiting. */
const perRun = 20;

/** Asks customers for a review, some days after the delivery. */
export const step: SweepStep = {
  name: 'review requests',
  stage: 'alerts',
  run: () =>
    callFunction('queue_review_requests', { p_days: askAfterDays, p_limit: perRun }, z.int()),
};
