import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { dropAnswer } from '#local/emulators/http/handler.ts';
import { ProviderError } from './provider-error.ts';

const milliseconds = z.coerce.number().int().min(0).max(600_000);

/** Faults that a person or a test injects. Omitted fields work normally. */
export const faultsSchema = z.strictObject({
  api: z
    .strictObject({
      /** Every answer of the API waits this long. */
      delayMs: milliseconds.optional(),
      /** The API refuses with this status and does nothing. */
      status: z.coerce.number().int().min(400).max(599).optional(),
      /** The API does its work, but the connection is cut instead of an answer. */
      dropReply: z.boolean().optional(),
      /** How many calls are affected; all until reset when omitted. */
      times: z.coerce.number().int().positive().optional(),
    })
    .default({}),
  webhook: z
    .strictObject({
      mode: z.enum(['normal', 'duplicate', 'reordered', 'lost']).default('normal'),
      delayMs: milliseconds.default(0),
    })
    .default({ mode: 'normal', delayMs: 0 }),
  refund: z
    .strictObject({
      /** New refunds wait at the bank until somebody ends them. */
      pending: z.boolean().default(false),
    })
    .default({ pending: false }),
});
export type Faults = z.infer<typeof faultsSchema>;

export interface FaultBoard {
  current: () => Faults;
  set: (faults: Faults) => void;
  /** Runs one call of the API with the faults that are set for it. */
  apply: (call: () => Response | Promise<Response>) => Promise<Response>;
}

export const noFaults = (): Faults => faultsSchema.parse({});

/** Faults live as long as the stack: a restart clears them. */
export function createFaultBoard(): FaultBoard {
  let faults = noFaults();
  return {
    current: () => faults,
    set(next) {
      faults = next;
    },
    async apply(call) {
      const { delayMs, status, dropReply, times } = faults.api;
      if (times !== undefined) {
        faults = { ...faults, api: times > 1 ? { ...faults.api, times: times - 1 } : {} };
      }
      if (delayMs !== undefined) await sleep(delayMs);
      if (status !== undefined) {
        const text =
          'We are facing some trouble completing your request at the moment. Please try again shortly.';
        const refused = new ProviderError(status === 429 ? 'Too many requests' : text, {
          status,
        }).toResponse();
        return dropReply === true ? dropAnswer(refused) : refused;
      }
      const answer = await call();
      return dropReply === true ? dropAnswer(answer) : answer;
    },
  };
}
