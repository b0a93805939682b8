import * as z from 'zod/mini';
import { callFunction } from '../platform/database.ts';

/** Mails about products that are back in stock, in an hour: a flood of them ends in spam folders. */
const perHour = 100;

/** Queues the mails of products that are back in stock. Returns how many. */
export const queueBackInStock = (): Promise<number> =>
  callFunction('queue_back_in_stock', { p_per_hour: perHour }, z.int());
