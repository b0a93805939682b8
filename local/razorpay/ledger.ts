import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { readJson, writeJson } from '../data-folder/files.ts';
import { warn } from '../shared/log.ts';
import { disputeSchema, orderSchema, paymentSchema, refundSchema } from './entities.ts';

const deliverySchema = z.object({
  event_id: z.string(),
  event: z.string(),
  /** The exact text that is signed and sent. */
  body: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed', 'lost']),
  attempts: z.int(),
  /** Status of the last answer; 0 when there was none. */
  last_status: z.int().nullable(),
  /** Milliseconds since the epoch. */
  next_attempt_at: z.number(),
  created_at: z.int(),
});
export type Delivery = z.infer<typeof deliverySchema>;

const recordsSchema = z.object({
  orders: z.array(orderSchema),
  payments: z.array(paymentSchema),
  refunds: z.array(refundSchema),
  disputes: z.array(disputeSchema).default([]),
  /** Refunds by idempotency key, with the request they answered. */
  refundKeys: z.record(z.string(), z.object({ request: z.string(), refundId: z.string() })),
  deliveries: z.array(deliverySchema),
});
export type Records = z.infer<typeof recordsSchema>;

/** The sandbox's memory. Change `records`, then `save()`. */
export interface Ledger {
  records: Records;
  /** Writes soon, and again when changes came in meanwhile. */
  save: () => void;
  /** Resolves when everything is written. */
  settled: () => Promise<void>;
}

/** Opens the sandbox's file. An unreadable file is replaced by an empty ledger: it holds no real money. */
export async function createLedger(path: string): Promise<Ledger> {
  const records = (await readJson(path, recordsSchema)) ?? {
    orders: [],
    payments: [],
    refunds: [],
    disputes: [],
    refundKeys: {},
    deliveries: [],
  };
  let writing: Promise<void> | null = null;
  let changed = false;
  const writeAtExit = (): void => {
    writeFileSync(path, JSON.stringify(records), { mode: 0o600 });
  };
  const write = async (): Promise<void> => {
    // A payment that was answered while the stack stops is money: the shop would call it unknown after the next start.
    process.once('exit', writeAtExit);
    while (changed) {
      changed = false;
      const began = performance.now();
      await writeJson(path, records).catch((error: unknown) => {
        warn('The payment sandbox cannot save', error);
      });
      // Every save writes the whole file. With many payments at once, the pause leaves nine tenths of the time for other work.
      await wait(9 * (performance.now() - began));
    }
    process.off('exit', writeAtExit);
    writing = null;
  };
  return {
    records,
    save() {
      changed = true;
      writing ??= write();
    },
    settled: async () => writing ?? Promise.resolve(),
  };
}
