import * as z from 'zod/mini';
import type { SweepStep } from '#core/scheduled/sweep-step.ts';
import { callFunction } from '#core/platform/database.ts';

/** Mails about products that are back in stock, in an hour: a flood of them ends in spam folders. */
const perHour = 100;

/** Queues the mails of products that are back in stock, before the run sends mail. */
export const step: SweepStep = {
  name: 'back in stock',
  stage: 'alerts',
  run: () => callFunction('queue_back_in_stock', { p_per_hour: perHour }, z.int()),
};
