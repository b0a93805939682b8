import * as z from 'zod/mini';
import { cartMailAfterHours } from '#settings/cart-mail.ts';
import { callFunction } from '#core/platform/database.ts';
import type { SweepStep } from '#core/scheduled/sweep-step.ts';

/** Mails queued by a run, fewer than it sends, so that those of orders are not kept waiting. */
const perRun = 10;

/** Mails customers about carts that they left, some hours after the order ended unpaid. */
export const step: SweepStep = {
  name: 'cart mails',
  stage: 'alerts',
  run: () =>
    callFunction('queue_cart_mails', { p_hours: cartMailAfterHours, p_limit: perRun }, z.int()),
};
