import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { readJson, writeJson } from '#local/data-folder/files.ts';
import { warn } from '#local/shared/log.ts';
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

/** New and changed entries. */
const changeSchema = recordsSchema.partial();
type Change = z.infer<typeof changeSchema>;

/** The sandbox's memory. Change `records`, then `save()` what changed. */
export interface Ledger {
  records: Records;
  /** The entries are on the disk when it returns, so that an answer given afterwards outlives even `kill -9`. */
  save: (change: Change) => void;
  /** Resolves when everything is in the one file. */
  settled: () => Promise<void>;
}

/** Puts changed entries in the place of those with their id, and new ones first. */
function merge<Entry>(
  list: Entry[],
  changed: readonly Entry[] | undefined,
  idOf: (entry: Entry) => string,
): void {
  for (const entry of changed ?? []) {
    const at = list.findIndex((one) => idOf(one) === idOf(entry));
    if (at === -1) list.unshift(entry);
    else list[at] = entry;
  }
}

function apply(records: Records, change: Change): void {
  const idOf = ({ id }: { id: string }): string => id;
  merge(records.orders, change.orders, idOf);
  merge(records.payments, change.payments, idOf);
  merge(records.refunds, change.refunds, idOf);
  merge(records.disputes, change.disputes, idOf);
  merge(records.deliveries, change.deliveries, ({ event_id: id }) => id);
  Object.assign(records.refundKeys, change.refundKeys);
}

/** The changes in a file, one a line; none without the file. The last line of a process that was killed may be half a line. */
function readChanges(path: string): Change[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return changeSchema.safeParse(JSON.parse(line)).data ?? [];
      } catch {
        return [];
      }
    });
}

/** Removes the drafts of the file that a killed process left. */
function removeDrafts(path: string): void {
  const draft = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(draft) && name.endsWith('.tmp')) rmSync(join(dirname(path), name));
}

/**
 * Opens the sandbox's file and the changes since it was written. An unreadable file is replaced by an empty ledger: it holds no real
 * money.
 */
export async function createLedger(path: string): Promise<Ledger> {
  const records = (await readJson(path, recordsSchema)) ?? {
    orders: [],
    payments: [],
    refunds: [],
    disputes: [],
    refundKeys: {},
    deliveries: [],
  };
  // While the whole file is being written, the changes in it wait under a second name.
  const [changes, earlier] = [`${path}.changes`, `${path}.earlier`];
  for (const change of [...readChanges(earlier), ...readChanges(changes)]) apply(records, change);
  removeDrafts(path);
  let writing: Promise<void> | null = null;
  let changed = false;

  const write = async (): Promise<void> => {
    while (changed) {
      changed = false;
      const began = performance.now();
      if (existsSync(changes)) {
        // What a write that failed left comes first.
        appendFileSync(earlier, readFileSync(changes), { mode: 0o600 });
        rmSync(changes);
      }
      await writeJson(path, records).then(
        () => {
          rmSync(earlier, { force: true });
        },
        (error: unknown) => {
          warn('The payment sandbox cannot save', error);
        },
      );
      // Every save writes the whole file. With many payments at once, the pause leaves nine tenths of the time for other work.
      await wait(9 * (performance.now() - began));
    }
    writing = null;
  };
  const writeSoon = (): void => {
    changed = true;
    writing ??= write();
  };
  if (existsSync(changes) || existsSync(earlier)) writeSoon();
  return {
    records,
    save(change) {
      try {
        appendFileSync(changes, `${JSON.stringify(change)}\n`, { mode: 0o600 });
      } catch (error) {
        warn('The payment sandbox cannot save', error);
      }
      writeSoon();
    },
    settled: async () => writing ?? Promise.resolve(),
  };
}
