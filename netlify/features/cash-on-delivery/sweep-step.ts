import * as z from 'zod/mini';
import { callFunction } from '#core/platform/database.ts';
import type { SweepStep } from '#core/scheduled/sweep-step.ts';

/** Orders ended by a run: each has a mail. */
const perRun = 50;

/** Ends orders that the shop did not confirm in time: their stock comes back, and so does an advance. */
export const step: SweepStep = {
  name: 'cash orders',
  stage: 'alerts',
  run: () => callFunction('end_unconfirmed_orders', { p_limit: perRun }, z.int()),
};
